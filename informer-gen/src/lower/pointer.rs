//! The JSON pointer of the value at hand, for messages.

/// A JSON pointer that grows and shrinks as a walk goes down and up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pointer {
    text: String,
    ends: Vec<usize>,
}

impl Pointer {
    /// One step down.
    pub(crate) fn push(&mut self, step: &str) {
        self.ends.push(self.text.len());
        self.text.push('/');
        for c in step.chars() {
            match c {
                '~' => self.text.push_str("~0"),
                '/' => self.text.push_str("~1"),
                c => self.text.push(c),
            }
        }
    }

    /// One step up.
    pub(crate) fn pop(&mut self) {
        self.text.truncate(self.ends.pop().unwrap_or(0));
    }

    /// The pointer as it stands, with some more steps.
    pub(crate) fn join(&self, steps: &[&str]) -> String {
        let mut pointer = self.clone();
        steps.iter().for_each(|step| pointer.push(step));
        pointer.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_down_and_up() {
        let mut pointer = Pointer::default();
        pointer.push("spec");
        pointer.push("a/b~c");
        assert_eq!(pointer.join(&["0"]), "/spec/a~1b~0c/0");
        pointer.pop();
        assert_eq!(pointer.join(&[]), "/spec");
        pointer.pop();
        assert_eq!(pointer.join(&[]), "");
    }
}
