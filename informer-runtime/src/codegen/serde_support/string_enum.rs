//! Enums of texts that keep texts they don't know.

/// Everything but the definition of an enum whose unit variants stand for texts and whose variant `Other(String)`
/// holds any other text: `as_str`, conversions, `Display`, `Default` (what `""` is), and serde as a plain string.
#[doc(hidden)]
#[macro_export]
macro_rules! __informer_runtime_string_enum {
    ($name:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        impl $name {
            /// The text in JSON.
            #[must_use]
            #[allow(unreachable_pub)]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::Other(text) => text,
                }
            }

            fn known(text: &str) -> ::std::option::Option<Self> {
                match text {
                    $($text => ::std::option::Option::Some(Self::$variant),)*
                    _ => ::std::option::Option::None,
                }
            }
        }

        impl ::std::convert::From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::known(text).unwrap_or_else(|| Self::Other(text.into()))
            }
        }

        impl ::std::convert::From<::std::string::String> for $name {
            fn from(text: ::std::string::String) -> Self {
                Self::known(&text).unwrap_or(Self::Other(text))
            }
        }

        impl ::std::default::Default for $name {
            fn default() -> Self {
                Self::from("")
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self.as_str(), f)
            }
        }

        impl $crate::codegen::serde::Serialize for $name {
            fn serialize<S>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error>
            where
                S: $crate::codegen::serde::Serializer,
            {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::codegen::serde::Deserialize<'de> for $name {
            fn deserialize<D>(deserializer: D) -> ::std::result::Result<Self, D::Error>
            where
                D: $crate::codegen::serde::Deserializer<'de>,
            {
                let text: ::std::borrow::Cow<'de, str> =
                    $crate::codegen::serde::Deserialize::deserialize(deserializer)?;
                ::std::result::Result::Ok(Self::from(&*text))
            }
        }
    };
}
