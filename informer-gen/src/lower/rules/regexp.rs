//! Regular expressions in the syntax of Go's regexp, which the server uses: whether one is such.
//!
//! What they match is not judged, nor whether names of Unicode classes are known.

use std::iter::Peekable;
use std::str::Chars;

/// The largest count of a repetition.
const MAX_REPEAT: u32 = 1000;

/// What is wrong with an expression, if anything is found.
pub(super) fn wrong(pattern: &str) -> Option<&'static str> {
    Reader::new(pattern).all().err()
}

/// Whether an expression has braces that stand for themselves, since what is in them is no count: `{`, `{02}`, `{1, 2}`.
pub(super) fn has_bare_brace(pattern: &str) -> bool {
    let mut reader = Reader::new(pattern);
    reader.all().is_err() || reader.bare_brace
}

/// What stands before a place, for what may follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    Something,
    Repetition,
}

type Found<T = ()> = Result<T, &'static str>;

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    groups: u32,
    /// Whether a named class may still end somewhere.
    classes_end: bool,
    /// Whether a brace was read that stands for itself.
    bare_brace: bool,
}

impl<'a> Reader<'a> {
    fn new(pattern: &'a str) -> Self {
        Reader { chars: pattern.chars().peekable(), groups: 0, classes_end: true, bare_brace: false }
    }

    fn all(&mut self) -> Found {
        let mut before = Before::Nothing;
        while let Some(c) = self.chars.next() {
            before = match c {
                '\\' => self.escape(before)?,
                '[' => self.class()?,
                '(' => self.group(before)?,
                ')' => {
                    self.groups = self.groups.checked_sub(1).ok_or("`)` closes nothing")?;
                    Before::Something
                }
                '|' => Before::Nothing,
                '*' | '+' | '?' => self.repeated(before)?,
                '{' if self.count()? => self.repeated(before)?,
                '{' => {
                    self.bare_brace = true;
                    Before::Something
                }
                _ => Before::Something,
            };
        }
        if self.groups > 0 { Err("`(` is not closed") } else { Ok(()) }
    }

    fn repeated(&mut self, before: Before) -> Found<Before> {
        match before {
            Before::Nothing => Err("there is nothing to repeat"),
            Before::Repetition => Err("a repetition is repeated"),
            Before::Something => {
                self.chars.next_if_eq(&'?');
                Ok(Before::Repetition)
            }
        }
    }

    /// Reads what follows `{`, if it is a count: `2}`, `2,}` or `2,3}`; else the brace stands for itself.
    fn count(&mut self) -> Found<bool> {
        let mut ahead = self.chars.clone();
        let text: String = ahead.by_ref().take_while(|c| *c != '}').take(32).collect();
        let number = |text: &str| {
            let good = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
            let good = good && (text == "0" || !text.starts_with('0'));
            good.then(|| text.parse::<u32>().unwrap_or(u32::MAX))
        };
        let (least, most) = match text.split_once(',') {
            None => (number(&text), number(&text)),
            Some((least, "")) => (number(least), number(least)),
            Some((least, most)) => (number(least), number(most)),
        };
        let (Some(least), Some(most)) = (least, most) else { return Ok(false) };
        if self.chars.clone().nth(text.len()) != Some('}') {
            return Ok(false);
        }
        if least > MAX_REPEAT || most > MAX_REPEAT {
            return Err("it repeats more than 1000 times");
        }
        if most < least {
            return Err("a repetition has a maximum below its minimum");
        }
        self.chars = ahead;
        Ok(true)
    }

    fn group(&mut self, before: Before) -> Found<Before> {
        if self.chars.next_if_eq(&'?').is_none() {
            self.groups += 1;
            return Ok(Before::Nothing);
        }
        match self.chars.peek() {
            Some('=' | '!') => return Err("it looks ahead"),
            Some('>') => return Err("it has an atomic group"),
            Some('<') => {
                self.chars.next();
                if matches!(self.chars.peek(), Some('=' | '!')) {
                    return Err("it looks behind");
                }
                return self.named();
            }
            Some('P') => {
                self.chars.next();
                return if self.chars.next_if_eq(&'<').is_some() {
                    self.named()
                } else {
                    Err("`(?P` needs a name: `(?P<name>…)`")
                };
            }
            _ => {}
        }
        let (mut off, mut seen) = (false, true);
        loop {
            match self.chars.next() {
                Some('i' | 'm' | 's' | 'U') => seen = true,
                Some('-') if !off => (off, seen) = (true, false),
                Some(':') if seen => {
                    self.groups += 1;
                    return Ok(Before::Nothing);
                }
                // Flags are nothing that could be repeated.
                Some(')') if seen => return Ok(if before == Before::Repetition { Before::Something } else { before }),
                _ => return Err("`(?` is followed by what is no flag and no name"),
            }
        }
    }

    fn named(&mut self) -> Found<Before> {
        let mut name = String::new();
        while let Some(c) = self.chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
            name.push(c);
        }
        if name.is_empty() || self.chars.next() != Some('>') {
            return Err("a group has a name that is none");
        }
        self.groups += 1;
        Ok(Before::Nothing)
    }

    fn escape(&mut self, before: Before) -> Found<Before> {
        match self.chars.peek() {
            // Everything up to \E is literal.
            Some('Q') => {
                self.chars.next();
                let mut after = if before == Before::Repetition { Before::Something } else { before };
                while let Some(c) = self.chars.next() {
                    if c == '\\' && self.chars.next_if_eq(&'E').is_some() {
                        break;
                    }
                    after = Before::Something;
                }
                return Ok(after);
            }
            Some('A' | 'b' | 'B' | 'z') => drop(self.chars.next()),
            _ => drop(self.character()?),
        }
        Ok(Before::Something)
    }

    /// What follows a backslash, in a class or outside; the character that it stands for, if it is one.
    fn character(&mut self) -> Found<Option<char>> {
        let c = self.chars.next().ok_or("it ends in a backslash")?;
        match c {
            'd' | 'D' | 's' | 'S' | 'w' | 'W' => Ok(None),
            'p' | 'P' => match self.chars.next() {
                Some('{') => {
                    // Which names there are is not known here.
                    while self.chars.next_if(|c| c.is_alphabetic() || "^_ -".contains(*c)).is_some() {}
                    if self.chars.next() == Some('}') { Ok(None) } else { Err("`\\p{` is followed by no name and `}`") }
                }
                Some(c) if "CLMNPSZ".contains(c) => Ok(None),
                _ => Err("`\\p` needs the name of a class"),
            },
            '1'..='7' if !matches!(self.chars.peek(), Some('0'..='7')) => Err("it refers back to a group"),
            '0'..='7' => {
                let mut code = c.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = self.chars.next_if(|c| c.is_digit(8)) else { break };
                    code = code * 8 + digit.to_digit(8).unwrap_or(0);
                }
                Ok(char::from_u32(code))
            }
            'x' => self.hexadecimal().map(Some),
            'a' => Ok(Some('\u{7}')),
            'f' => Ok(Some('\u{c}')),
            'n' => Ok(Some('\n')),
            'r' => Ok(Some('\r')),
            't' => Ok(Some('\t')),
            'v' => Ok(Some('\u{b}')),
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => Ok(Some(c)),
            '8' | '9' => Err("it refers back to a group"),
            _ => Err("it has a backslash before a letter that needs none"),
        }
    }

    fn hexadecimal(&mut self) -> Found<char> {
        const WRONG: &str = "`\\x` is followed by no hexadecimal number";
        let braces = self.chars.peek() == Some(&'{');
        let digits: String = if braces {
            self.chars.by_ref().skip(1).take_while(|c| *c != '}').collect()
        } else {
            self.chars.by_ref().take(2).collect()
        };
        let enough = if braces { !digits.is_empty() } else { digits.len() == 2 };
        let good = enough && digits.bytes().all(|c| c.is_ascii_hexdigit());
        let code = u32::from_str_radix(&digits, 16).ok().filter(|_| good);
        // A surrogate is a number that Go takes too.
        code.filter(|code| *code <= 0x10_ffff).map(|code| char::from_u32(code).unwrap_or('\u{fffd}')).ok_or(WRONG)
    }

    /// To the end of a class such as `[^]a-z[:alpha:]]`.
    fn class(&mut self) -> Found<Before> {
        const OPEN: &str = "`[` is not closed";
        self.chars.next_if_eq(&'^');
        let mut first = true;
        loop {
            let c = self.chars.next().ok_or(OPEN)?;
            let low = match c {
                ']' if !first => return Ok(Before::Something),
                '[' if self.chars.peek() == Some(&':') && self.named_class()? => None,
                '\\' => self.character()?,
                c => Some(c),
            };
            first = false;
            let mut ahead = self.chars.clone();
            if let Some(low) = low
                && ahead.next() == Some('-')
                && ahead.peek().is_some_and(|c| *c != ']')
            {
                self.chars = ahead;
                let high = match self.chars.next().ok_or(OPEN)? {
                    '\\' => self.character()?.ok_or("a range of a class ends in a class")?,
                    c => c,
                };
                if high < low {
                    return Err("a range of a class ends before it begins");
                }
            }
        }
    }

    /// `[:alpha:]`, of which the bracket is read; false where it is just a bracket.
    fn named_class(&mut self) -> Found<bool> {
        const NAMES: [&str; 14] = [
            "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper",
            "word", "xdigit",
        ];
        if !self.classes_end {
            return Ok(false);
        }
        let mut ahead = self.chars.clone();
        ahead.next();
        let mut name = String::new();
        loop {
            match ahead.next() {
                Some(':') if ahead.next_if_eq(&']').is_some() => break,
                Some(c) => name.push(c),
                None => {
                    self.classes_end = false;
                    return Ok(false);
                }
            }
        }
        if !NAMES.contains(&name.strip_prefix('^').unwrap_or(&name)) {
            return Err("a class has a name that is none");
        }
        self.chars = ahead;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_server_would_take() {
        for good in [
            "",
            "^a(b|c)*$",
            r"\(",
            "[(]",
            "[]()]",
            "[^])]",
            "[[:alpha:](]",
            "(?i)a",
            "(?P<n>a)",
            "(?<n>a)(?<n>b)",
            r"\Q(\E",
            r"\Qa*",
            "a{2}",
            "a{2,}?",
            "a{",
            "a{x}",
            "a{,2}",
            "{2}a{02}",
            r"\12",
            r"\x41\x{1F600}\pL\p{Greek}",
            "[--a]",
            "[a-]",
            r"[\d-z]",
            "[[:]",
            "^*",
            "(?-i:a)",
            r"\_",
            "()*",
        ] {
            // A brace at the beginning is a count, and repeats nothing.
            let expected = good.starts_with("{2}").then_some("there is nothing to repeat");
            assert_eq!(wrong(good), expected, "{good}");
        }
    }

    #[test]
    fn what_the_server_would_refuse() {
        for bad in [
            "(a",
            "a)",
            "(?=a)",
            "(?!a)",
            "(?<!a)b",
            r"(a)\1",
            "a\\",
            "((a)",
            "[",
            "[]",
            "[a",
            "*",
            "a|*",
            "(*)",
            "a**",
            "a*+",
            "a???",
            "a{2}{3}",
            "a{2,1}",
            "a{1001}",
            r"\y",
            r"\Z",
            r"\8",
            r"[\b]",
            "[z-a]",
            "[[:foo:]]",
            r"[a-\d]",
            r"\p",
            r"\p{L",
            r"\xg",
            r"\xa",
            r"\p{2}",
            "(?P=n)",
            "(?P<>a)",
            "(?x)a",
            "(?-)a",
            "ä\\ä",
        ] {
            assert!(wrong(bad).is_some(), "{bad}");
        }
    }
}
