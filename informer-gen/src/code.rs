//! Rust code as a row of tokens, and [`quote!`] to write it down.
//!
//! What the crate `quote` is for macros, for text: it reads like Rust, values are put in by `#name`. But here no token
//! is a value of its own (a file of types has a hundred thousand of them), and descriptions stay the text that they
//! are. [`layout`](crate::layout) makes lines of it.

use std::fmt;

/// What is behind each token.
const END: char = '\0';

/// Tokens in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Code {
    /// The tokens, a NUL behind each: no token has one.
    tokens: String,
}

impl Code {
    /// No tokens.
    pub(crate) fn new() -> Self {
        Code::default()
    }

    /// Whether there is no token.
    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The tokens; a line of a comment is one.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = &str> {
        self.tokens.split_terminator(END)
    }

    /// Adds a token, written as it is in Rust.
    pub(crate) fn token(&mut self, token: &str) {
        self.tokens.push_str(token);
        self.tokens.push(END);
    }

    /// Adds a line to the docs of what follows.
    pub(crate) fn doc(&mut self, line: &str) {
        self.comment("///", line);
    }

    /// Adds a line to the docs of what is around.
    pub(crate) fn inner_doc(&mut self, line: &str) {
        self.comment("//!", line);
    }

    fn comment(&mut self, mark: &str, line: &str) {
        self.tokens.push_str(mark);
        if !line.is_empty() {
            self.tokens.push(' ');
        }
        // What ends a line in Rust's eyes would end the comment.
        match line.contains(['\n', '\r']) {
            true => self.tokens.push_str(&line.replace(['\n', '\r'], " ")),
            false => self.tokens.push_str(line),
        }
        self.tokens.push(END);
    }
}

impl FromIterator<Code> for Code {
    fn from_iter<I: IntoIterator<Item = Code>>(parts: I) -> Self {
        let mut code = Code::new();
        parts.into_iter().for_each(|part| code.add(&part));
        code
    }
}

impl Code {
    /// Adds what a value is in code.
    pub(crate) fn add(&mut self, part: &(impl Part + ?Sized)) {
        part.add_to(self);
    }
}

/// A name in code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ident(String);

impl Ident {
    /// A name that is one: `names` makes no others.
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Ident(name.into())
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What can stand behind a `#` in [`quote!`]. Texts and numbers are literals.
pub(crate) trait Part {
    /// Adds the tokens of this.
    fn add_to(&self, code: &mut Code);
}

impl Part for Code {
    fn add_to(&self, code: &mut Code) {
        code.tokens.push_str(&self.tokens);
    }
}

impl Part for Ident {
    fn add_to(&self, code: &mut Code) {
        code.token(&self.0);
    }
}

impl Part for str {
    fn add_to(&self, code: &mut Code) {
        code.tokens.push('"');
        for c in self.chars() {
            match c {
                '\'' | ' '..='!' | '#'..='[' | ']'..='~' => code.tokens.push(c),
                c => code.tokens.extend(c.escape_debug()),
            }
        }
        code.token("\"");
    }
}

impl Part for String {
    fn add_to(&self, code: &mut Code) {
        self.as_str().add_to(code);
    }
}

impl Part for bool {
    fn add_to(&self, code: &mut Code) {
        code.token(if *self { "true" } else { "false" });
    }
}

impl Part for u32 {
    fn add_to(&self, code: &mut Code) {
        code.token(&format!("{self}u32"));
    }
}

/// What people have typed: one token here, whatever it is in Rust, so that it is written as it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Typed<'t>(pub(crate) &'t str);

impl Part for Typed<'_> {
    fn add_to(&self, code: &mut Code) {
        code.token(self.0);
    }
}

impl<P: Part> Part for Option<P> {
    fn add_to(&self, code: &mut Code) {
        self.iter().for_each(|part| part.add_to(code));
    }
}

impl<P: Part + ?Sized> Part for &P {
    fn add_to(&self, code: &mut Code) {
        (**self).add_to(code);
    }
}

/// [`Code`] as it is written: `#name` puts in a [`Part`], `#(#names)*` and `#(#names),*` all that an iterator gives.
macro_rules! quote {
    (@ $code:ident) => {};
    (@ $code:ident #[doc = $line:literal] $($rest:tt)*) => {
        $code.doc(str::trim_start($line));
        $crate::code::quote!(@ $code $($rest)*);
    };
    (@ $code:ident #(#$parts:ident)* $($rest:tt)*) => {
        $parts.into_iter().for_each(|part| $code.add(&part));
        $crate::code::quote!(@ $code $($rest)*);
    };
    (@ $code:ident #(#$parts:ident),* $($rest:tt)*) => {
        for (at, part) in $parts.into_iter().enumerate() {
            if at > 0 {
                $code.token(",");
            }
            $code.add(&part);
        }
        $crate::code::quote!(@ $code $($rest)*);
    };
    (@ $code:ident #$part:ident $($rest:tt)*) => {
        $code.add(&$part);
        $crate::code::quote!(@ $code $($rest)*);
    };
    (@ $code:ident { $($inner:tt)* } $($rest:tt)*) => {
        $code.token("{");
        $crate::code::quote!(@ $code $($inner)*);
        $code.token("}");
        $crate::code::quote!(@ $code $($rest)*);
    };
    (@ $code:ident ( $($inner:tt)* ) $($rest:tt)*) => {
        $code.token("(");
        $crate::code::quote!(@ $code $($inner)*);
        $code.token(")");
        $crate::code::quote!(@ $code $($rest)*);
    };
    (@ $code:ident [ $($inner:tt)* ] $($rest:tt)*) => {
        $code.token("[");
        $crate::code::quote!(@ $code $($inner)*);
        $code.token("]");
        $crate::code::quote!(@ $code $($rest)*);
    };
    (@ $code:ident >> $($rest:tt)*) => {
        $crate::code::quote!(@ $code > > $($rest)*);
    };
    (@ $code:ident $token:tt $($rest:tt)*) => {
        $code.token(stringify!($token));
        $crate::code::quote!(@ $code $($rest)*);
    };
    ($($tokens:tt)*) => {{
        let mut code = $crate::code::Code::new();
        $crate::code::quote!(@ code $($tokens)*);
        code
    }};
}

/// An [`Ident`] from a format string.
macro_rules! format_ident {
    ($($arguments:tt)*) => { $crate::code::Ident::new(format!($($arguments)*)) };
}

pub(crate) use {format_ident, quote};
