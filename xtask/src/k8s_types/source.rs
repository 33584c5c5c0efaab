//! One type of k8s-openapi, read from its file.

use crate::failure::{Failure, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a file says of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Type {
    /// The fields of a struct by their names in JSON; `None` for whatever is no struct of fields.
    pub(super) fields: Option<BTreeMap<String, Field>>,
    /// Whether k8s-openapi says that a server can be asked for a list of them.
    pub(super) listable: bool,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// Whether it can be left out.
    pub(super) optional: bool,
    pub(super) form: Form,
}

/// The form of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `string`, `boolean`, `int32` or `int64`.
    Plain(&'static str),
    List(Box<Form>),
    Map(Box<Form>),
    /// Another type, by its path.
    Type(String),
    /// Anything else.
    Other,
}

/// Every type: the release, its path below the crate, and what it is.
pub(super) fn sources(src: &Path) -> Result<Vec<(u16, String, Type)>> {
    let mut types = Vec::new();
    for folder in entries(src)? {
        let Some(release) = name(&folder).strip_prefix("v1_").and_then(|minor| minor.parse().ok()) else { continue };
        let mut open = vec![(folder, String::new())];
        while let Some((folder, module)) = open.pop() {
            for path in entries(&folder)? {
                if path.is_dir() {
                    let below = format!("{module}{}::", name(&path));
                    open.push((path, below));
                    continue;
                }
                let text = std::fs::read_to_string(&path).map_err(|error| Failure::io("read", &path, &error))?;
                if let Some((ident, found)) = parse(&text) {
                    types.push((release, format!("{module}{ident}"), found));
                }
            }
        }
    }
    Ok(types)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error: std::io::Error| Failure::io("read", folder, &error);
    std::fs::read_dir(folder).map_err(failed)?.map(|entry| Ok(entry.map_err(failed)?.path())).collect()
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// The first public type of a file that says which definition it is of.
fn parse(text: &str) -> Option<(&str, Type)> {
    if !text.starts_with("// Generated from definition ") {
        return None;
    }
    let mut lines = text.lines();
    let declared = lines.by_ref().find_map(|line| {
        let rest = line.strip_prefix("pub struct ").or(line.strip_prefix("pub enum "))?;
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        Some((&rest[..end], line.starts_with("pub struct ") && rest[end..] == *" {"))
    });
    let (ident, of_fields) = declared?;
    let fields = lines.take_while(|line| *line != "}").filter_map(|line| line.strip_prefix("    pub "));
    let keys: BTreeMap<&str, &str> = text.lines().filter_map(key).collect();
    let fields: Option<BTreeMap<_, _>> = fields
        .map(|line| {
            let (ident, rust) = line.strip_suffix(',')?.split_once(": ")?;
            let inner = rust.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>'));
            let field = Field { optional: inner.is_some(), form: form(inner.unwrap_or(rust)) };
            Some(((*keys.get(ident)?).to_owned(), field))
        })
        .collect();
    let listable = text.contains("\nimpl crate::ListableResource for ");
    Some((ident, Type { fields: fields.filter(|_| of_fields), listable }))
}

/// From a line such as `"fsType" => Field::Key_fs_type,`: the field, and its name in JSON.
fn key(line: &str) -> Option<(&str, &str)> {
    let (wire, ident) = line.trim_start().strip_prefix('"')?.split_once("\" => Field::Key_")?;
    Some((ident.strip_suffix(',')?, wire))
}

fn form(rust: &str) -> Form {
    let inside = |begin: &str| rust.strip_prefix(begin).and_then(|rest| rest.strip_suffix('>'));
    match rust {
        "std::string::String" => Form::Plain("string"),
        "bool" => Form::Plain("boolean"),
        "i32" => Form::Plain("int32"),
        "i64" => Form::Plain("int64"),
        _ => {
            if let Some(items) = inside("std::vec::Vec<") {
                return Form::List(Box::new(form(items)));
            }
            if let Some(values) = inside("std::collections::BTreeMap<std::string::String, ") {
                return Form::Map(Box::new(form(values)));
            }
            match rust.strip_prefix("crate::") {
                Some(path) if path.contains("::") && !path.contains('<') => Form::Type(path.to_owned()),
                _ => Form::Other,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
// Generated from definition io.example.Widget

/// Docs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Widget {
    /// Docs.
    pub zone_ips: Option<std::vec::Vec<std::string::String>>,

    pub part: crate::api::shop::v1::Part,

    pub type_: i32,
}

impl Widget {
    \"zoneIPs\" => Field::Key_zone_ips,
    \"part\" => Field::Key_part,
    \"type\" => Field::Key_type_,
}
";

    #[test]
    fn a_struct_by_its_names_in_json() {
        let (name, found) = parse(FILE).expect("a type");
        let fields = found.fields.expect("fields");
        let field = |optional, form| Field { optional, form };
        assert_eq!(name, "Widget");
        assert_eq!(fields["zoneIPs"], field(true, Form::List(Box::new(Form::Plain("string")))));
        assert_eq!(fields["part"], field(false, Form::Type("api::shop::v1::Part".to_owned())));
        assert_eq!(fields["type"], field(false, Form::Plain("int32")));
        assert!(!found.listable);
        let listable = format!("{FILE}\nimpl crate::ListableResource for Widget {{\n}}\n");
        assert!(parse(&listable).expect("a type").1.listable);
    }

    #[test]
    fn what_is_no_struct_of_fields_has_none() {
        for declared in ["pub struct Amount(pub std::string::String);", "pub enum Amount {\n    Int(i32),\n}"] {
            let text = format!("// Generated from definition io.example.Amount\n{declared}\n");
            assert_eq!(parse(&text), Some(("Amount", Type { fields: None, listable: false })));
        }
        assert_eq!(parse("pub struct Amount;"), None);
        // A field that nobody reads from JSON: the file is not as expected.
        assert_eq!(parse(&FILE.replace("Key_part", "Key_other")).expect("a type").1.fields, None);
    }
}
