//! Whether a value is one that a schema takes: yes, no, or left to the server.

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Fits,
    Wrong,
    Unknown,
}

impl Verdict {
    /// Of both.
    pub(super) fn and(self, other: Verdict) -> Verdict {
        match (self, other) {
            (Verdict::Wrong, _) | (_, Verdict::Wrong) => Verdict::Wrong,
            (Verdict::Unknown, _) | (_, Verdict::Unknown) => Verdict::Unknown,
            _ => Verdict::Fits,
        }
    }

    /// Of the contrary.
    pub(super) fn not(self) -> Verdict {
        match self {
            Verdict::Fits => Verdict::Wrong,
            Verdict::Wrong => Verdict::Fits,
            Verdict::Unknown => Verdict::Unknown,
        }
    }
}
