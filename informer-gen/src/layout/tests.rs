//! What is laid out is Rust, and looks as prettyplease would have it.

use super::text;
use crate::code::{Code, format_ident, quote};

/// The lines, the same as those of prettyplease.
fn lines(code: &Code) -> String {
    let lines = text(code);
    let parsed = syn::parse_file(&lines).unwrap_or_else(|error| panic!("{error}:\n{lines}"));
    assert_eq!(lines, prettyplease::unparse(&parsed));
    lines
}

/// A name of so many letters.
fn name(letter: &str, length: usize) -> crate::code::Ident {
    format_ident!("{}", letter.repeat(length))
}

#[test]
fn items_have_lines_of_their_own() {
    let (path, doc) = (quote!(::shop::types), Code::new());
    let code = quote! {
        use #path;
        /// A widget.
        #doc
        #[derive(Clone, Debug)]
        pub struct Widget {
            /// Its size.
            pub size: Option<Vec<u8>>,
            pub(super) text: &'static str,
        }
        pub struct Nothing {}
        pub enum Color {
            Red,
            Other(String),
        }
        impl<T> From<T> for Widget {
            const SIZES: &'static [u8] = &[1, 2];
            type Scope = path::To;
            fn size(&self) -> &Self::Scope {
                &self.size
            }
            #[must_use]
            pub fn with(mut self, size: impl Into<u8>) -> Self {
                self.size = size.into();
                self
            }
        }
        const _: () = shop::requires(1);
        shop::refuse!("never");
    };
    let lines = lines(&code);
    assert!(lines.contains("pub struct Widget {\n    /// Its size.\n    pub size: Option<Vec<u8>>,\n"), "{lines}");
}

#[test]
fn lines_are_broken_where_they_would_be_broken_by_prettyplease() {
    for length in 1..60 {
        let (a, b, text) = (name("A", length), name("B", length / 2 + 1), "é".repeat(length));
        let items = [&a, &b, &a];
        lines(&quote! {
            pub use self::a::{#(#items),*};
            #[deprecated(note = #text)]
            pub struct #a {
                pub one: Option<std::collections::BTreeMap<String, Vec<#a>>>,
                pub two: std::collections::BTreeMap<#a, std::collections::BTreeMap<String, Option<#b>>>,
                pub three: #b::#a<#b>,
            }
            impl #a for std::boxed::Box<#b> {
                fn new(a: &#a, b: impl Fn(&mut #b) + Send + 'static) -> std::boxed::Box<#b> {
                    std::boxed::Box::new(a, &[b, #text], #a::<#b>())
                }
            }
            pub const ALL: &[#b] = &[#b::new(#text, true), #b::new("a", false),];
            shop::object! { #a { required #a = #text, optional #b = "b", ..extra } }
        });
        let (some, all) = (quote!(#[cfg(feature = "a")] #a::#b), quote!(#b::new(#text)));
        lines(&quote! {
            pub mod inner {
                pub mod inner {
                    pub const ALL: &[#b] = &[#some, #all];
                    pub mod inner {
                        pub struct #a { pub field: Option<std::collections::BTreeMap<String, #a>>, }
                        shop::object! { #a { required #a = #text, optional #b = "b", } }
                    }
                }
            }
        });
    }
}
