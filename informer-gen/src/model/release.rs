//! Kubernetes releases, and in which of them something is served.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Serialize, Serializer};

/// A Kubernetes release, such as 1.37.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release {
    minor: u16,
}

impl Release {
    /// Release `1.minor`.
    pub const fn new(minor: u16) -> Self {
        Release { minor }
    }

    /// The number after `1.`.
    pub const fn minor(self) -> u16 {
        self.minor
    }

    /// The `cfg` that is set for this release and all later ones.
    pub(crate) fn cfg(self) -> String {
        format!("k8s_ge_1_{}", self.minor)
    }
}

/// `1.37`.
impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1.{}", self.minor)
    }
}

impl std::str::FromStr for Release {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let minor = text.strip_prefix("1.").and_then(|minor| minor.parse().ok());
        minor.map(Release::new).ok_or_else(|| format!("{text:?} is no Kubernetes release such as 1.37"))
    }
}

impl Serialize for Release {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A stretch of releases: from one on, up to another that is out. `None` is no bound.
pub(crate) type Stretch = (Option<Release>, Option<Release>);

/// The stretches that are all of `some` and nothing else of `all`, in order. A release before the first of `all` is
/// taken to be like the first, one after the last like the last.
pub(crate) fn stretches(some: &BTreeSet<Release>, all: &BTreeSet<Release>) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut within = false;
    for (at, release) in all.iter().enumerate() {
        match (within, some.contains(release)) {
            (false, true) => stretches.push(((at > 0).then_some(*release), None)),
            (true, false) => {
                if let Some(last) = stretches.last_mut() {
                    last.1 = Some(*release);
                }
            }
            _ => {}
        }
        within = some.contains(release);
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_have_a_beginning_and_an_end() {
        let of = |minors: &[u16]| minors.iter().map(|minor| Release::new(*minor)).collect::<BTreeSet<_>>();
        let all = of(&[33, 34, 35, 36, 37]);
        let release = |minor| Some(Release::new(minor));
        for (some, expected) in [
            (&[33, 34, 35, 36, 37][..], vec![(None, None)]),
            (&[35, 36, 37], vec![(release(35), None)]),
            (&[33, 34], vec![(None, release(35))]),
            (&[34, 36], vec![(release(34), release(35)), (release(36), release(37))]),
            (&[], vec![]),
        ] {
            assert_eq!(stretches(&of(some), &all), expected);
        }
    }

    #[test]
    fn releases_are_read_as_they_are_written() {
        assert_eq!("1.37".parse(), Ok(Release::new(37)));
        assert_eq!(Release::new(37).to_string(), "1.37");
        assert_eq!(Release::new(37).cfg(), "k8s_ge_1_37");
        assert!("2.0".parse::<Release>().is_err() && "1.x".parse::<Release>().is_err());
    }
}
