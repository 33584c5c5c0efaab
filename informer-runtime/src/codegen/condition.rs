//! The condition of Kubernetes, as most custom resources have it in their status.

/// One aspect of the state of an object, in the form that Kubernetes gives it (`metav1.Condition`): types of custom
/// resources whose schema is exactly this have their conditions in it, so that one function does for all of them.
///
/// The fields are those of k8s-openapi's type, but the time stays the text that it is: what is read and written again is
/// the same JSON.
///
/// ```
/// # use informer_runtime::Condition;
/// # let conditions: Option<Vec<Condition>> = None;
/// let ready = Condition::find(conditions.iter().flatten(), "Ready").is_some_and(Condition::is_true);
/// assert!(!ready);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Condition {
    /// When the status was last another one, as RFC 3339.
    pub last_transition_time: String,
    /// Details for people; may be empty.
    pub message: String,
    /// The `metadata.generation` of the object that the condition is about.
    pub observed_generation: Option<i64>,
    /// Why, in one word for programs.
    pub reason: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    /// What it is about, such as `Ready`.
    pub type_: String,
}

super::object! {
    Condition {
        required last_transition_time = "lastTransitionTime",
        required message = "message",
        optional observed_generation = "observedGeneration",
        required reason = "reason",
        required status = "status",
        required type_ = "type",
    }
}

impl Condition {
    /// The condition of this type among those of an object: `Condition::find(status.conditions.iter().flatten(), "Ready")`.
    pub fn find<'a>(conditions: impl IntoIterator<Item = &'a Condition>, type_: &str) -> Option<&'a Condition> {
        conditions.into_iter().find(|condition| condition.type_ == type_)
    }

    /// Whether the status is `True`. Neither this nor [`is_false`](Self::is_false) if nobody knows.
    pub fn is_true(&self) -> bool {
        self.status == "True"
    }

    /// Whether the status is `False`.
    pub fn is_false(&self) -> bool {
        self.status == "False"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_found_and_stay_as_they_are() {
        let text = r#"[{"lastTransitionTime":"2026-01-02T03:04:05.60+01:00","message":"","reason":"Up","status":"True","type":"Ready"},
            {"lastTransitionTime":"2026-01-02T03:04:05Z","message":"m","observedGeneration":7,"reason":"Down","status":"False","type":"Old"}]"#;
        let conditions: Vec<Condition> = serde_json::from_str(text).unwrap();
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_value(&conditions).unwrap(), value);
        let find = |type_| Condition::find(&conditions, type_);
        assert!(find("Ready").is_some_and(Condition::is_true) && !find("Ready").is_some_and(Condition::is_false));
        assert!(find("Old").is_some_and(Condition::is_false) && find("New").is_none());
    }
}
