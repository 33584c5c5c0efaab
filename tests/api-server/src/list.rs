//! Lists: which objects at which version, page by page.

use bytes::Bytes;

use crate::query::{ListOptions, Match, Version};
use crate::render::{self, Form, Page};
use crate::selection::Selection;
use crate::status::Status;
use crate::store::Collection;

/// What a list is made from besides the collection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Snapshot {
    /// The newest version.
    pub(crate) current: u64,
    /// The version that answers to "any version", at most `current`.
    pub(crate) cached: u64,
}

/// One page. The version that is asked for must have been reached.
pub(crate) fn page(
    collection: &Collection,
    snapshot: Snapshot,
    selection: &Selection,
    options: &ListOptions,
    partial: bool,
) -> Result<Bytes, Status> {
    let start = start(collection, snapshot, options)?;
    let limit = if options.version == Version::Any { None } else { options.limit };
    let form = if partial { Form::Partial } else { Form::Item };
    let mut matching = collection
        .objects_at(start.version, selection.namespace.as_deref(), start.after.as_deref())
        .filter(|(_, stored)| selection.matches(&stored.head));
    let items: Vec<_> = matching.by_ref().take(limit.unwrap_or(usize::MAX)).collect();
    let left = matching.count();
    let token = items.last().filter(|_| left > 0).map(|(key, _)| Token::new(start.version, key).write());
    let page = Page {
        version: &start.version.to_string(),
        continue_token: token.as_deref(),
        remaining: (left > 0 && !selection.is_filtered()).then_some(left),
        partial,
    };
    Ok(render::list(&collection.served, &page, items.iter().map(|(_, stored)| stored.bytes(&collection.served, form))))
}

struct Start {
    version: u64,
    after: Option<String>,
}

fn start(collection: &Collection, snapshot: Snapshot, options: &ListOptions) -> Result<Start, Status> {
    if let Some(token) = &options.continue_token {
        if matches!(options.version, Version::At(_)) {
            return Err(Status::bad_request("a continue token can not go with a resource version"));
        }
        let token = Token::read(token).ok_or_else(|| Status::bad_request("invalid continue token"))?;
        let version = match token.version {
            None => snapshot.current,
            Some(version) if version <= snapshot.current && collection.remembers(version) => version,
            Some(_) => {
                let message = "the continue token is too old for a consistent list: list again without one, \
                               or go on with the token in this answer at a newer version";
                let again = Token { version: None, after: token.after }.write();
                return Err(Status::expired().with_message(message).with_continue(&again));
            }
        };
        return Ok(Start { version, after: Some(token.after) });
    }
    // A limit with a version and no match is an exact list too, for compatibility with old clients
    let exact = options.matching.map_or(options.limit.is_some(), |matching| matching == Match::Exact);
    let version = match options.version {
        Version::Unset => snapshot.current,
        Version::Any => snapshot.cached,
        Version::At(version) if !exact => snapshot.cached.max(version),
        Version::At(version) if collection.remembers(version) => version,
        Version::At(_) => return Err(Status::expired()),
    };
    if collection.remembers(version) {
        Ok(Start { version, after: None })
    } else {
        // Only a cached state can be forgotten without having been asked for
        Ok(Start { version: snapshot.current, after: None })
    }
}

/// Where the next page starts. Readable, for tests, but opaque to clients.
struct Token {
    version: Option<u64>,
    after: String,
}

impl Token {
    fn new(version: u64, after: &str) -> Self {
        Self { version: Some(version), after: after.to_owned() }
    }

    fn write(&self) -> String {
        let version = self.version.map_or_else(|| "newest".to_owned(), |version| version.to_string());
        let key: String = self.after.bytes().map(|byte| format!("{byte:02x}")).collect();
        format!("{version}.{key}")
    }

    fn read(text: &str) -> Option<Self> {
        let (version, key) = text.split_once('.')?;
        let version = if version == "newest" { None } else { Some(version.parse().ok()?) };
        let pairs = key.as_bytes().chunks(2).map(|pair| {
            let digit = |byte: &u8| char::from(*byte).to_digit(16);
            match pair {
                [high, low] => u8::try_from(digit(high)? * 16 + digit(low)?).ok(),
                _ => None,
            }
        });
        let after = String::from_utf8(pairs.collect::<Option<Vec<u8>>>()?).ok()?;
        Some(Self { version, after })
    }
}
