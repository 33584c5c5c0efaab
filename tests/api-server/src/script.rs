//! Which requests get which scripted answer.

use std::fmt;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive};
use std::sync::Arc;

use informer_runtime::Resource;

use crate::answer::Answer;
use crate::recorder::{RequestKind, RequestRecord};

/// Faults and fixed answers. The first rule that fits a request answers it; a request that none fits is answered
/// from the server's state.
///
/// ```
/// use informer_runtime::Resource;
/// use informer_test_server::{Events, Listing, Script, Status, stub};
/// let widgets = Resource::new("shop.example.test", "v1", "Widget", "widgets", true);
/// let script = Script::new()
///     .list(1, Listing::at(10).items([stub(&widgets, "red/a", 5), stub(&widgets, "red/b", 6)]))
///     .watch(1, Events::new().added(stub(&widgets, "red/c", 11)).expired().close())
///     .list(2.., Status::unavailable());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Script {
    rules: Vec<Rule>,
}

impl Script {
    /// No rules.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers lists by their number: `1` for the first, `2..` for all from the second on, `..` for all. Every page
    /// counts.
    #[must_use]
    pub fn list(self, nth: impl Into<Nth>, answer: impl Into<Answer>) -> Self {
        self.rule(Rule::list().nth(nth).answer(answer))
    }

    /// Answers watches by their number. Streaming lists count.
    #[must_use]
    pub fn watch(self, nth: impl Into<Nth>, answer: impl Into<Answer>) -> Self {
        self.rule(Rule::watch().nth(nth).answer(answer))
    }

    /// Adds a rule after those that are there.
    #[must_use]
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Answers every request that no rule before fits.
    #[must_use]
    pub fn otherwise(self, answer: impl Into<Answer>) -> Self {
        self.rule(Rule::any().answer(answer))
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.rules.extend(other.rules);
    }

    /// The reply to a request. Counts it in all rules.
    pub(crate) fn reply(&mut self, request: &RequestRecord) -> Option<Reply> {
        let due: Vec<bool> = self.rules.iter_mut().map(|rule| rule.is_due(request)).collect();
        let first = due.iter().position(|due| *due)?;
        Some(self.rules[first].reply.clone())
    }
}

/// A numbered place, counted from one, or a range of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nth {
    first: usize,
    last: usize,
}

impl From<usize> for Nth {
    fn from(number: usize) -> Self {
        Self { first: number, last: number }
    }
}

impl From<RangeFrom<usize>> for Nth {
    fn from(range: RangeFrom<usize>) -> Self {
        Self { first: range.start, last: usize::MAX }
    }
}

impl From<RangeInclusive<usize>> for Nth {
    fn from(range: RangeInclusive<usize>) -> Self {
        Self { first: *range.start(), last: *range.end() }
    }
}

impl From<Range<usize>> for Nth {
    fn from(range: Range<usize>) -> Self {
        Self { first: range.start, last: range.end.saturating_sub(1) }
    }
}

impl From<RangeFull> for Nth {
    fn from(_: RangeFull) -> Self {
        Self { first: 0, last: usize::MAX }
    }
}

type Condition = Arc<dyn Fn(&RequestRecord) -> bool + Send + Sync>;

/// How a rule answers.
#[derive(Clone)]
pub(crate) enum Reply {
    Fixed(Box<Answer>),
    Made(Arc<dyn Fn(&RequestRecord) -> Answer + Send + Sync>),
}

/// An answer and the requests that get it.
///
/// A rule counts the requests that fit its kind, resource and condition, also those that an earlier rule answers.
#[derive(Clone)]
pub struct Rule {
    kinds: Option<&'static [RequestKind]>,
    resource: Option<Resource>,
    condition: Option<Condition>,
    nth: Nth,
    seen: usize,
    reply: Reply,
}

impl Rule {
    /// For every request.
    #[must_use]
    pub fn any() -> Self {
        Self {
            kinds: None,
            resource: None,
            condition: None,
            nth: (..).into(),
            seen: 0,
            reply: Reply::Fixed(Box::new(Answer::state())),
        }
    }

    /// For lists; every page counts.
    #[must_use]
    pub fn list() -> Self {
        Self::kinds(&[RequestKind::List])
    }

    /// For watches, streaming lists among them.
    #[must_use]
    pub fn watch() -> Self {
        Self::kinds(&[RequestKind::Watch, RequestKind::StreamingList])
    }

    /// For watches that are no streaming lists.
    #[must_use]
    pub fn plain_watch() -> Self {
        Self::kinds(&[RequestKind::Watch])
    }

    /// For streaming lists.
    #[must_use]
    pub fn streaming_list() -> Self {
        Self::kinds(&[RequestKind::StreamingList])
    }

    /// Only for a resource.
    #[must_use]
    pub fn of(mut self, resource: &Resource) -> Self {
        self.resource = Some(resource.clone());
        self
    }

    /// Only if this holds. It may look at the server, but not change its script.
    #[must_use]
    pub fn when(mut self, condition: impl Fn(&RequestRecord) -> bool + Send + Sync + 'static) -> Self {
        self.condition = Some(Arc::new(condition));
        self
    }

    /// Only for the requests with these numbers among those that fit.
    #[must_use]
    pub fn nth(mut self, nth: impl Into<Nth>) -> Self {
        self.nth = nth.into();
        self
    }

    /// With this answer. Without: from the state, which shields requests from later rules.
    #[must_use]
    pub fn answer(mut self, answer: impl Into<Answer>) -> Self {
        self.reply = Reply::Fixed(Box::new(answer.into()));
        self
    }

    /// With the answer that this makes of the request.
    #[must_use]
    pub fn answered_by(mut self, make: impl Fn(&RequestRecord) -> Answer + Send + Sync + 'static) -> Self {
        self.reply = Reply::Made(Arc::new(make));
        self
    }

    fn kinds(kinds: &'static [RequestKind]) -> Self {
        Self { kinds: Some(kinds), ..Self::any() }
    }

    fn is_due(&mut self, request: &RequestRecord) -> bool {
        let fits = self.kinds.is_none_or(|kinds| kinds.contains(&request.kind))
            && self.resource.as_ref().is_none_or(|resource| request.resource.as_ref() == Some(resource))
            && self.condition.as_ref().is_none_or(|condition| condition(request));
        self.seen += usize::from(fits);
        fits && (self.nth.first..=self.nth.last).contains(&self.seen)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule")
            .field("kinds", &self.kinds)
            .field("resource", &self.resource)
            .field("nth", &self.nth)
            .field("seen", &self.seen)
            .finish_non_exhaustive()
    }
}
