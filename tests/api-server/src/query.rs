//! The query of a request: its pairs, and the list options in them.

use std::time::Duration;

use crate::status::Status;

/// The decoded pairs of a query string, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    pairs: Vec<(String, String)>,
}

impl Query {
    pub(crate) fn parse(text: &str) -> Self {
        let pairs = text.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name, true), decode(value, true))
        });
        Self { pairs: pairs.collect() }
    }

    /// The first value of a name; `Some("")` for a name without a value.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// All pairs, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.get(name).map(|value| !value.eq_ignore_ascii_case("false") && value != "0")
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    fn number(&self, name: &str) -> Result<Option<u64>, Status> {
        let parse = |value: &str| value.parse().map_err(|_| Status::bad_request(format!("{name}: not a whole number")));
        self.text(name).map(parse).transpose()
    }
}

/// Undoes percent encoding, and `+` for a space where asked. What is not encoded properly stays as it is.
pub(crate) fn decode(text: &str, plus_is_space: bool) -> String {
    let hex = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, hex(bytes.get(at + 1)), hex(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                decoded.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                at += 2;
            }
            (b'+', ..) if plus_is_space => decoded.push(b' '),
            _ => decoded.push(*byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// The `resourceVersion` of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    Unset,
    Any,
    At(u64),
}

/// `resourceVersionMatch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    NotOlderThan,
    Exact,
}

/// What a list or watch may ask for, selectors apart.
#[derive(Clone, Debug)]
pub(crate) struct ListOptions {
    pub(crate) version: Version,
    pub(crate) matching: Option<Match>,
    pub(crate) limit: Option<usize>,
    pub(crate) continue_token: Option<String>,
    pub(crate) bookmarks: bool,
    pub(crate) initial_events: bool,
    pub(crate) timeout: Option<Duration>,
}

impl ListOptions {
    /// Reads and checks the options of a list, or of a watch.
    pub(crate) fn of(query: &Query, watch: bool) -> Result<Self, Status> {
        let initial_events = query.flag("sendInitialEvents");
        let matching = match query.text("resourceVersionMatch") {
            None => None,
            Some("NotOlderThan") => Some(Match::NotOlderThan),
            Some("Exact") => Some(Match::Exact),
            Some(_) => {
                let why = "it must be Exact or NotOlderThan";
                return Err(Status::forbidden_option("resourceVersionMatch", why));
            }
        };
        let options = Self {
            version: version(query.text("resourceVersion"), watch)?,
            matching,
            limit: query.number("limit")?.and_then(|limit| usize::try_from(limit).ok()).filter(|limit| *limit > 0),
            continue_token: query.text("continue").map(str::to_owned),
            bookmarks: query.flag("allowWatchBookmarks").unwrap_or(false),
            initial_events: initial_events.unwrap_or(false),
            timeout: query.number("timeoutSeconds")?.filter(|seconds| *seconds > 0).map(Duration::from_secs),
        };
        options.check(initial_events.is_some(), watch)?;
        Ok(options)
    }

    fn check(&self, asks_initial_events: bool, watch: bool) -> Result<(), Status> {
        let matching = |why| Err(Status::forbidden_option("resourceVersionMatch", why));
        match (watch, self.matching) {
            (false, _) if asks_initial_events => {
                let why = "only watches have initial events";
                Err(Status::forbidden_option("sendInitialEvents", why))
            }
            (true, Some(Match::NotOlderThan)) if asks_initial_events => Ok(()),
            (true, _) if asks_initial_events => matching("sendInitialEvents needs NotOlderThan"),
            (true, Some(_)) => matching("a watch takes it only with sendInitialEvents"),
            (false, Some(_)) if self.continue_token.is_some() => matching("it can not go with continue"),
            (false, Some(_)) if self.version == Version::Unset => matching("it needs a resourceVersion"),
            (false, Some(Match::Exact)) if self.version == Version::Any => {
                matching("Exact can not go with resourceVersion 0")
            }
            _ => Ok(()),
        }
    }
}

/// Reads a resource version. The fault has one form for lists and gets, another for watches.
pub(crate) fn version(text: Option<&str>, watch: bool) -> Result<Version, Status> {
    match (text, text.map(str::parse)) {
        (None, _) => Ok(Version::Unset),
        (_, Some(Ok(0))) => Ok(Version::Any),
        (_, Some(Ok(number))) => Ok(Version::At(number)),
        _ if watch => Err(Status::new(500, "", "resourceVersion: Invalid value: not an unsigned number")),
        _ => Err(Status::bad_request("invalid resource version: resourceVersion: not an unsigned number")),
    }
}
