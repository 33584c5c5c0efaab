//! `cargo xtask test --list-cases`: which test proves which case. Also run as a test of this package.
//!
//! The cases are the rows of `tests/data/cases.tsv`; a test proves a case if its name begins with the case's id, as in
//! `b05_r10_refused_connections_…`. Names are read out of the sources, so that nothing has to be compiled.

use crate::failure::{Failure, Result};
use crate::root;
use crate::say::say;
use std::fmt;
use std::path::Path;

/// One row of the list of cases.
#[derive(Debug)]
struct Case {
    id: String,
    /// What happens, in a few words.
    meaning: String,
    /// Why no test has its name, or what a test can't show. May be empty.
    reason: String,
    /// The tests that have its name, with their modules.
    tests: Vec<String>,
}

impl Case {
    /// Nobody proves it and nobody says why.
    fn is_open(&self) -> bool {
        self.tests.is_empty() && self.reason.is_empty()
    }
}

/// The id, the tests or the reason, and what the case is.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<4} {}", self.id, self.meaning)?;
        for test in &self.tests {
            write!(f, "\n     {test}")?;
        }
        match (self.is_open(), self.reason.as_str()) {
            (true, _) => write!(f, "\n     NEITHER TEST NOR REASON"),
            (false, "") => Ok(()),
            (false, reason) => write!(f, "\n     - {reason}"),
        }
    }
}

/// Prints every case with its tests, or the reason where there is none, and a count in the last line.
///
/// # Errors
/// When a case has neither, or a test has the id of no case.
pub(crate) fn list() -> Result {
    let (cases, strangers) = look(root::root())?;
    cases.iter().for_each(say);
    let open = cases.iter().filter(|case| case.is_open()).count();
    let tested = cases.iter().filter(|case| !case.tests.is_empty()).count();
    let explained = cases.len() - tested - open;
    say(format!("cases: {}, {tested} with a test, {explained} with a reason, {open} with neither", cases.len()));
    if !strangers.is_empty() {
        return Err(Failure::new(format!("no such case: {}", strangers.join(", "))));
    }
    match open {
        0 => Ok(()),
        _ => Err(Failure::new(format!("{open} cases have neither a test nor a reason"))),
    }
}

/// The list of cases.
const LIST: &str = "tests/data/cases.tsv";
/// Where the tests are that may have the name of one.
const FOLDERS: &[&str] = &[
    "informer-runtime/src",
    "informer-runtime/tests",
    "tests/api-server/tests",
    "tests/tests",
    "informer-gen/src",
    "informer-gen/tests",
    "templates/src",
    "tests/kubernetes",
    "tests/outputs",
    "examples/build-script/src",
    "xtask/src",
];

/// All cases with their tests, and the tests that have the id of no case.
fn look(root: &Path) -> Result<(Vec<Case>, Vec<String>)> {
    let list = root.join(LIST);
    let text = std::fs::read_to_string(&list).map_err(|error| Failure::io("read", &list, &error))?;
    let mut cases = parse(&text)?;
    let mut strangers = Vec::new();
    for folder in FOLDERS {
        for (path, text) in sources(&root.join(folder))? {
            for name in tests(&text) {
                let test = format!("{folder}/{path} {name}");
                for id in ids(name) {
                    match cases.iter_mut().find(|case| case.id == id) {
                        Some(case) => case.tests.push(test.clone()),
                        None => strangers.push(test.clone()),
                    }
                }
            }
        }
    }
    Ok((cases, strangers))
}

/// The rows: id, meaning and reason, with tabs between. The first line names the columns.
fn parse(text: &str) -> Result<Vec<Case>> {
    let row = |(number, line): (usize, &str)| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, meaning, reason] = fields[..] else {
            return Err(Failure::new(format!("{LIST}:{}: {} columns, not 3", number + 1, fields.len())));
        };
        let (id, meaning, reason) = (id.to_owned(), meaning.to_owned(), reason.to_owned());
        Ok(Case { id, meaning, reason, tests: Vec::new() })
    };
    text.lines().enumerate().skip(1).map(row).collect()
}

/// All Rust files below a folder with their paths under it, in order.
fn sources(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).map_err(|error| Failure::io("read", &next, &error))? {
            let path = entry.map_err(|error| Failure::io("read", &next, &error))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).map_err(|error| Failure::io("read", &path, &error))?;
                let under = path.strip_prefix(folder).unwrap_or(&path);
                found.push((under.to_string_lossy().replace('\\', "/"), text));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The names of the functions that are marked as tests.
fn tests(source: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut marked = false;
    for line in source.lines().map(str::trim_start) {
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            marked = true;
        } else if marked && let Some((_, after)) = line.split_once("fn ") {
            names.extend(after.split(['(', '<']).next());
            marked = false;
        }
    }
    names
}

/// The ids that a name begins with: `B05` and `R10` of `b05_r10_refused_connections`.
fn ids(name: &str) -> impl Iterator<Item = String> {
    let is_id = |part: &&str| {
        let number = part.strip_prefix(['b', 'r', 'l', 'q', 's', 'k', 'h']);
        number.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    name.split('_').take_while(is_id).map(str::to_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_has_a_test_or_a_reason() {
        let (cases, strangers) = look(root::root()).expect("readable");
        assert!(cases.len() > 160, "{}", cases.len());
        let open: Vec<_> = cases.iter().filter(|case| case.is_open()).map(|case| &case.id).collect();
        assert!(open.is_empty() && strangers.is_empty(), "open: {open:?}, no cases: {strangers:?}");
    }

    #[test]
    fn names_are_read_from_sources() {
        let source =
            "#[test]\nfn one() {}\n#[tokio::test(start_paused = true)]\n// why\nasync fn b01_two() {}\nfn no() {}";
        assert_eq!(tests(source), ["one", "b01_two"]);
        assert_eq!(ids("b05_r10_a_cut_s3").collect::<Vec<_>>(), ["B05", "R10"]);
        assert_eq!(ids("b_r10").count() + ids("base64").count() + ids("l1x_a").count(), 0);
    }

    #[test]
    fn a_row_has_three_columns() {
        assert_eq!(parse("id\tcase\treason\nB01\twhat\t").expect("three").len(), 1);
        assert_eq!(parse("id\nB01\twhat").expect_err("two").to_string(), format!("{LIST}:2: 2 columns, not 3"));
    }
}
