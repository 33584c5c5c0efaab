//! Types of k8s-openapi that the schema of a CRD can be exactly: all their values are plain, they are the same in all
//! releases, and none of the others has their form.

use super::source::{Field, Form};
use super::{Type, Types};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How paths of types begin that CRDs borrow: the vocabulary of all kinds, not the insides of one API group.
const BORROWED: &[&str] = &[
    "api::core::v1::",
    "apimachinery::pkg::apis::meta::v1::LabelSelector",
    "apimachinery::pkg::apis::meta::v1::OwnerReference",
];

/// Values that a form has at least, those of what is in it included: with fewer, a schema is like it by chance.
const VALUES: usize = 3;

/// Levels of types in types. Deeper ones are not looked at, so a type that holds itself is none.
const LEVELS: u32 = 12;

type Fields = BTreeMap<String, Field>;

/// The types, a line for each: its path, and its fields as `name:form`, `name?:form` where it can be left out, with
/// `[form]` for lists and `{form}` for maps. A line that begins with `-` is part of others only.
pub(super) fn table(types: &Types) -> String {
    let plain: BTreeMap<&str, &Fields> =
        types.iter().filter_map(|(path, found)| Some((&**path, same(types, found)?))).collect();
    let mut forms: BTreeMap<&str, Written> = BTreeMap::new();
    for (path, fields) in plain.iter().filter(|(path, _)| BORROWED.iter().any(|begin| path.starts_with(begin))) {
        forms.extend(written(fields, &plain, LEVELS).map(|written| (*path, written)));
    }
    let mut holders: BTreeMap<&str, usize> = BTreeMap::new();
    forms.values().for_each(|form| *holders.entry(&form.text).or_default() += 1);
    let alone = forms.iter().filter(|(_, form)| holders[&*form.text] == 1 && form.values >= VALUES);
    let shared: BTreeSet<&str> = alone.map(|(path, _)| *path).collect();
    let mut needed = shared.clone();
    let mut open: Vec<&str> = shared.iter().copied().collect();
    while let Some(path) = open.pop() {
        let parts = plain[path].values().filter_map(|field| part(&field.form));
        open.extend(parts.filter(|part| needed.insert(part)));
    }
    let mut text =
        "# k8s-openapi's types that schemas of CRDs are compared with; made by `cargo xtask k8s-types`\n".to_owned();
    for path in needed {
        let mark = if shared.contains(path) { "" } else { "-" };
        let fields: Vec<String> = plain[path]
            .iter()
            .map(|(name, field)| format!("{name}{}:{}", if field.optional { "?" } else { "" }, short(&field.form)))
            .collect();
        let _ = writeln!(text, "{mark}{path}\t{}", fields.join(" "));
    }
    text
}

/// The fields of a type that every release has, and all the same.
fn same<'t>(types: &'t Types, found: &'t BTreeMap<u16, Type>) -> Option<&'t Fields> {
    let releases: BTreeSet<u16> = types.values().flat_map(BTreeMap::keys).copied().collect();
    let first = found.values().next()?;
    let everywhere = found.len() == releases.len() && found.values().all(|other| other == first);
    first.fields.as_ref().filter(|fields| everywhere && !fields.is_empty())
}

/// The whole form of a type as a text, the same for types of the same form.
struct Written {
    text: String,
    values: usize,
}

/// `None` if there is anything in it that is not plain.
fn written(fields: &Fields, plain: &BTreeMap<&str, &Fields>, levels: u32) -> Option<Written> {
    let mut whole = Written { text: "(".to_owned(), values: 0 };
    for (name, field) in fields {
        let (begin, inner, end) = unwrapped(&field.form);
        let optional = if field.optional { "?" } else { "" };
        let _ = write!(whole.text, "{name}{optional}:{begin}");
        match inner {
            Form::Plain(name) => {
                whole.text += name;
                whole.values += 1;
            }
            Form::Type(path) if levels > 0 => {
                let inner = written(plain.get(&**path)?, plain, levels - 1)?;
                whole.text += &inner.text;
                whole.values += inner.values;
            }
            _ => return None,
        }
        let _ = write!(whole.text, "{end} ");
    }
    whole.text.push(')');
    Some(whole)
}

/// What is inside lists and maps, with what stands around it.
fn unwrapped(form: &Form) -> (String, &Form, String) {
    let (mut begin, mut inner, mut end) = (String::new(), form, String::new());
    loop {
        let (left, right, next) = match inner {
            Form::List(items) => ('[', ']', items),
            Form::Map(values) => ('{', '}', values),
            _ => return (begin, inner, end),
        };
        begin.push(left);
        end.insert(0, right);
        inner = next;
    }
}

fn part(form: &Form) -> Option<&str> {
    match unwrapped(form).1 {
        Form::Type(path) => Some(path),
        _ => None,
    }
}

fn short(form: &Form) -> String {
    let (begin, inner, end) = unwrapped(form);
    let name = match inner {
        Form::Plain(name) => name,
        Form::Type(path) => path.as_str(),
        _ => "",
    };
    format!("{begin}{name}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORE: &str = "api::core::v1::";

    fn text(optional: bool) -> Field {
        Field { optional, form: Form::Plain("string") }
    }

    fn holding(part: &str) -> Field {
        Field { optional: true, form: Form::List(Box::new(Form::Type(format!("{CORE}{part}")))) }
    }

    /// A type in both releases that there are.
    fn add(types: &mut Types, name: &str, fields: &[(&str, Field)]) {
        let fields: Fields = fields.iter().map(|(name, field)| ((*name).to_owned(), field.clone())).collect();
        for release in [1, 2] {
            let found = Type { fields: Some(fields.clone()), listable: false };
            types.entry(format!("{CORE}{name}")).or_default().insert(release, found);
        }
    }

    #[test]
    fn types_are_shared_that_are_plain_and_alike_in_all_releases_and_alone() {
        let mut types = Types::new();
        let three = |last: &'static str| [("a", text(false)), ("b", text(true)), (last, text(true))];
        add(&mut types, "Alone", &three("c"));
        add(&mut types, "Twin", &three("d"));
        add(&mut types, "Twin2", &three("d"));
        add(&mut types, "Small", &[("a", text(false))]);
        add(&mut types, "Whole", &[("small", holding("Small")), ("twin", holding("Twin"))]);
        add(&mut types, "Circle", &[("a", text(true)), ("b", text(true)), ("c", holding("Circle"))]);
        add(
            &mut types,
            "Timed",
            &[("a", text(true)), ("b", text(true)), ("c", Field { optional: true, form: Form::Other })],
        );
        add(&mut types, "Late", &three("e"));
        types.get_mut("api::core::v1::Late").expect("there").remove(&1);
        add(&mut types, "Changed", &three("f"));
        let changed = types.get_mut("api::core::v1::Changed").and_then(|releases| releases.get_mut(&2)).expect("there");
        changed.fields.as_mut().expect("fields").insert("g".to_owned(), text(true));
        let table = table(&types);
        let lines: Vec<&str> = table.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "api::core::v1::Alone\ta:string b?:string c?:string",
                "-api::core::v1::Small\ta:string",
                "-api::core::v1::Twin\ta:string b?:string d?:string",
                "api::core::v1::Whole\tsmall?:[api::core::v1::Small] twin?:[api::core::v1::Twin]",
            ]
        );
    }
}
