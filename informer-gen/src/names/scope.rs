//! The one allocator: names for everything in one scope, given out together.
//!
//! The result depends on the set of names only, never on their order, and a name that clashes with nothing is not
//! touched by what is added beside it.

use std::collections::{BTreeMap, BTreeSet};

use super::case;
use super::keyword;

/// What a scope's names are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Properties of an object: `lowerCamelCase` is the form that keeps its name in a clash.
    Fields,
    /// Values of an enum: `PascalCase` is.
    Variants,
}

/// The Rust names of one member of a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// For a field and for the module of its inner types.
    pub(crate) snake: String,
    /// For a variant, or the type of a field.
    pub(crate) pascal: String,
}

/// Names longer than this are cut and get a mark made of the whole.
pub(super) const LONGEST: usize = 80;

/// How far a name goes to be alone: as it reads, with symbols and case spelled out, with a mark, with a long mark,
/// with the whole text as code points.
const LAST_LEVEL: u8 = 4;

/// Names for all members of a scope, in the order given. `wires` are the names in JSON, each once; `reserved` are
/// identifiers that the scope uses otherwise.
pub(crate) fn allocate(wires: &[&str], role: Role, reserved: &[&str]) -> Vec<Member> {
    let mut levels = vec![0u8; wires.len()];
    loop {
        let members: Vec<Member> =
            wires.iter().zip(&levels).map(|(wire, level)| member(wire, *level, role, reserved)).collect();
        let clashing = clashes(wires, &members, &levels, role);
        if clashing.is_empty() {
            return members;
        }
        for at in clashing {
            levels[at] += 1;
        }
    }
}

/// Members that have to look for another name.
fn clashes(wires: &[&str], members: &[Member], levels: &[u8], role: Role) -> BTreeSet<usize> {
    let mut holders: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (at, member) in members.iter().enumerate() {
        // A snake name and a Pascal name are never equal where it matters, but a shared map costs nothing.
        holders.entry(&member.snake).or_default().insert(at);
        holders.entry(&member.pascal).or_default().insert(at);
    }
    let mut clashing = BTreeSet::new();
    for group in holders.values().filter(|group| group.len() > 1) {
        let natural = |at: &&usize| levels[**at] == 0 && is_natural(wires[**at], role);
        let keeper = match group.iter().filter(natural).collect::<Vec<_>>()[..] {
            [one] => Some(*one),
            _ => None,
        };
        let last = group.iter().all(|at| levels[*at] >= LAST_LEVEL);
        clashing.extend(group.iter().filter(|at| Some(**at) != keeper && levels[**at] < LAST_LEVEL && !last));
    }
    clashing
}

fn is_natural(wire: &str, role: Role) -> bool {
    let words = case::words(wire);
    match role {
        Role::Fields => case::lower_camel(&words) == wire,
        Role::Variants => case::pascal(&words) == wire,
    }
}

fn member(wire: &str, level: u8, role: Role, reserved: &[&str]) -> Member {
    let words = match level {
        0 => Some(case::words(wire)).filter(|words| !words.is_empty()).unwrap_or_else(|| case::spelled(wire)),
        1 => with_case_mark(wire),
        2 => with_mark(case::words(wire), &format!("x{:08x}", hash(wire) as u32)),
        3 => with_mark(case::words(wire), &format!("x{:016x}", hash(wire))),
        _ => wire.chars().map(|c| format!("u{:04x}", u32::from(c))).collect(),
    };
    let words = if level < LAST_LEVEL { shortened(words, wire) } else { words };
    let snake = avoid(keyword::safe(&case::snake(&words)), reserved, "_");
    let pascal = case::pascal(&words);
    let pascal = if pascal.starts_with(|c: char| c.is_ascii_digit()) { format!("V{pascal}") } else { pascal };
    let suffix = if role == Role::Variants { "Value" } else { "_" };
    Member { snake, pascal: avoid(keyword::safe(&pascal), reserved, suffix) }
}

fn avoid(name: String, reserved: &[&str], suffix: &str) -> String {
    if reserved.contains(&name.as_str()) { name + suffix } else { name }
}

/// Symbols spelled out, and a word on the case where that is all that differs.
fn with_case_mark(wire: &str) -> Vec<String> {
    let mut words = case::spelled(wire);
    let letters = || wire.chars().filter(char::is_ascii_alphabetic);
    let mark = if letters().count() == 0 {
        return words;
    } else if letters().all(|c| c.is_ascii_lowercase()) {
        "lower"
    } else if letters().all(|c| c.is_ascii_uppercase()) {
        "upper"
    } else if letters().next().is_some_and(|c| c.is_ascii_uppercase()) {
        "capital"
    } else {
        "mixed"
    };
    // Spelled symbols tell names apart by themselves.
    if words == case::words(wire) {
        words.push(mark.to_owned());
    }
    words
}

fn with_mark(mut words: Vec<String>, mark: &str) -> Vec<String> {
    words.push(mark.to_owned());
    words
}

/// The words, or as many as make a name that is not too long, with a mark made of the whole.
pub(super) fn shortened(words: Vec<String>, wire: &str) -> Vec<String> {
    let text = case::snake(&words);
    if text.len() <= LONGEST {
        return words;
    }
    let mut short: Vec<String> =
        text[..LONGEST].split('_').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    short.push(format!("x{:016x}", hash(wire)));
    short
}

/// FNV-1a, 64 bits: the same on every machine and in every version.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(wires: &[&str]) -> Vec<String> {
        allocate(wires, Role::Fields, &[]).into_iter().map(|member| member.snake).collect()
    }

    fn variants(wires: &[&str]) -> Vec<String> {
        allocate(wires, Role::Variants, &["Other"]).into_iter().map(|member| member.pascal).collect()
    }

    #[test]
    fn ordinary_names_are_ordinary() {
        assert_eq!(
            fields(&["size", "podCIDRs", "type", "self", "Self"]),
            ["size", "pod_cidrs", "type_", "self_", "self_capital"]
        );
    }

    #[test]
    fn the_natural_form_keeps_its_name() {
        assert_eq!(
            fields(&["podName", "pod_name", "PodName", "pod-name", "foobar", "fooBar"]),
            ["pod_name", "pod_underscore_name", "pod_name_capital", "pod_dash_name", "foobar", "foo_bar"]
        );
        assert_eq!(
            variants(&["replace", "Replace", "REPLACE", "keep", "Keep"]),
            ["ReplaceLower", "Replace", "ReplaceUpper", "KeepLower", "Keep"]
        );
    }

    #[test]
    fn symbols_make_names() {
        assert_eq!(
            variants(&["=", "!=", "=~", "!~", "", "*", "+", "-", "<", ">="]),
            ["Equal", "NotEqual", "EqualTilde", "NotTilde", "Empty", "Star", "Plus", "Dash", "Less", "GreaterEqual"]
        );
        assert_eq!(variants(&["1.2.5", "1.0.0-rc1", "10", "Other"]), ["V1_2_5", "V1_0_0Rc1", "V10", "OtherValue"]);
        assert_eq!(variants(&["C", "C++", "c", "日本"]), ["C", "CPlusPlus", "CLower", "U65e5u672c"]);
    }

    #[test]
    fn order_and_unrelated_names_change_nothing() {
        let wires =
            ["a/b", "a_b", "a.b", "/a b", "@", "_", "", "foo1", "foo_1", "größe", "gen", "async", "Labels", "labels"];
        let names: BTreeMap<&str, String> = wires.into_iter().zip(fields(&wires)).collect();
        let mut turned = wires;
        turned.reverse();
        assert_eq!(names, turned.into_iter().zip(fields(&turned)).collect());
        let more: Vec<&str> = wires.into_iter().chain(["zebra"]).collect();
        assert_eq!(fields(&more)[..wires.len()], fields(&wires));
        let unique: BTreeSet<&String> = names.values().collect();
        assert_eq!(unique.len(), wires.len());
    }

    #[test]
    fn types_of_fields_are_told_apart_with_them() {
        let members = allocate(&["foo1", "foo_1"], Role::Fields, &[]);
        assert_ne!(members[0].pascal, members[1].pascal);
    }

    #[test]
    fn every_name_is_an_identifier_and_short() {
        let long = "very ".repeat(5000);
        let wires =
            [long.as_str(), "a\")] pub const X: u8 = 1; //", "\0", "\u{202e}", "crate", "super", "r#type", "_x"];
        for member in allocate(&wires, Role::Fields, &[]).iter().chain(&allocate(&wires, Role::Variants, &[])) {
            for name in [&member.snake, &member.pascal] {
                assert!(
                    syn::parse_str::<syn::Ident>(name).is_ok() && name.len() < 120 && !keyword::is_keyword(name),
                    "{name}"
                );
            }
        }
    }

    proptest::proptest! {
        /// Whatever the names: identifiers, each once, the same in any order.
        #[test]
        fn any_names(wires in proptest::collection::btree_set("[aAbB1_.$ -]{0,4}|\\PC{0,6}", 0..12), fields: bool) {
            let role = if fields { Role::Fields } else { Role::Variants };
            let wires: Vec<&str> = wires.iter().map(String::as_str).collect();
            let members = allocate(&wires, role, &["extra", "Other"]);
            for name in members.iter().flat_map(|member| [&member.snake, &member.pascal]) {
                proptest::prop_assert!(syn::parse_str::<syn::Ident>(name).is_ok() && name != "extra" && name != "Other", "{name}");
            }
            let snakes: BTreeSet<&String> = members.iter().map(|member| &member.snake).collect();
            let pascals: BTreeSet<&String> = members.iter().map(|member| &member.pascal).collect();
            proptest::prop_assert_eq!((snakes.len(), pascals.len()), (wires.len(), wires.len()));
            let turned: Vec<&str> = wires.iter().rev().copied().collect();
            let mut again = allocate(&turned, role, &["extra", "Other"]);
            again.reverse();
            proptest::prop_assert_eq!(again, members);
        }
    }
}
