//! The Kubernetes order of versions: stable before beta before alpha, then the higher number, then the rest by name.

/// Sort key of a version name; the preferred version is the smallest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Priority {
    stage: u8,
    major: std::cmp::Reverse<u64>,
    minor: std::cmp::Reverse<u64>,
    name: String,
}

impl Priority {
    /// The key of a name; one that is not of the form `v1`, `v1beta1`, `v1alpha1` sorts last.
    pub(crate) fn of(name: &str) -> Self {
        let (stage, major, minor) = parse(name).unwrap_or((3, 0, 0));
        Priority { stage, major: std::cmp::Reverse(major), minor: std::cmp::Reverse(minor), name: name.to_owned() }
    }
}

fn parse(name: &str) -> Option<(u8, u64, u64)> {
    let rest = name.strip_prefix('v')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let major = number(&rest[..digits])?;
    let (stage, minor) = match &rest[digits..] {
        "" => return Some((0, major, 0)),
        stage => match stage.strip_prefix("beta") {
            Some(minor) => (1, minor),
            None => (2, stage.strip_prefix("alpha")?),
        },
    };
    Some((stage, major, number(minor)?))
}

fn number(digits: &str) -> Option<u64> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    plain.then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kubernetes_order() {
        let order =
            ["v10", "v9", "v1", "v2beta2", "v1beta10", "v1beta2", "v2alpha1", "foo1", "v1-internal", "v1gamma1"];
        let mut sorted = order;
        sorted.reverse();
        sorted.sort_by_key(|name| Priority::of(name));
        assert_eq!(sorted, order);
    }
}
