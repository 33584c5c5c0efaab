//! Generates typed Kubernetes informers, listers and types from CustomResourceDefinitions and OpenAPI documents.
//!
//! One way, and each stage a value:
//!
//! ```text
//! Request → document → lower → model → names → render → Tree → emit: write | check
//! ```
//!
//! Only `document` (and a look around the output folder before it) reads the disk, and only `emit` writes; everything
//! between is from value to value. All that is wrong is gathered in [`Problems`] and told in one go; nothing is written
//! unless everything is right, or the request says to [keep going](Request::keep_going) without what is not.
//!
//! ```no_run
//! use informer_gen::{Input, Request};
//!
//! # fn main() -> Result<(), informer_gen::Problems> {
//! let request = Request::new("shop-informers", "generated/shop").input(Input::Path("crds".into()));
//! let generated = informer_gen::generate(&request)?;
//! informer_gen::write(&generated.tree, &request.out)?;
//! assert!(informer_gen::check(&generated.tree, &request.out)?.is_clean());
//! # Ok(())
//! # }
//! ```

// `code::quote!` takes a step for a token.
#![recursion_limit = "1024"]

// In the order of their use: each knows only those above it.
mod source;
mod problem;
mod model;
mod wording;
mod k8s_types;
mod request;
mod tree;
mod glob;
mod near;
// Texts to documents.
mod document;
mod surroundings;
// Documents to files.
mod code;
mod layout;
mod header;
mod names;
mod extras;
mod lower;
mod coverage;
mod left_out;
mod prune;
mod prune_crd;
mod render;
mod explain;
mod sample;
// Files to the disk, and problems to text.
mod emit;
mod report;
// For build scripts.
mod builder;

pub use builder::Builder;
pub use coverage::Report;
pub use emit::{Check, Difference, DifferenceKind, Written, check, write};
pub use left_out::LeftOut;
pub use model::Release;
pub use problem::{Problem, Problems, Severity};
pub use prune::prune;
pub use prune_crd::prune_crds;
pub use request::{Input, Request};
pub use sample::{Sample, Samples};
pub use tree::Tree;

use document::Documents;

/// What [`generate`] made of a request.
#[derive(Clone, Debug)]
pub struct Generated {
    /// All files of the crate, its manifest of owned files included; for [`write()`] and [`check()`].
    pub tree: Tree,
    /// Which kinds got an informer, and which not and why.
    pub report: Report,
    /// What is worth knowing though nothing is wrong: documents that were no CRDs, for instance. One line each.
    pub notes: Vec<String>,
    /// What was left out or made looser, with places. Errors are among them only if the request says to keep going.
    pub warnings: Problems,
    /// What is missing since it was wrong, if the request says to keep going.
    pub left_out: LeftOut,
}

/// Makes the files of a crate from a request. Reads the inputs and looks at the folders around the output; writes
/// nothing. Standard input is read for [`Input::Stdin`]. The same request on the same inputs gives the same bytes,
/// whatever the order of the inputs, the current folder, the time or the machine.
///
/// # Errors
/// All problems of the inputs and of the request, with file, line, column, CRD and JSON pointer where they have them.
pub fn generate(request: &Request) -> Result<Generated, Problems> {
    check_crate_name(&request.crate_name)?;
    request.dependencies.iter().try_for_each(|line| check_dependency(line))?;
    let mut request = request.clone();
    request.surroundings = surroundings::look(&request)?;
    let renames = names::Renames::parse(&request.renames)?;
    let extras = extras::Extras::parse(&request.derives, &request.attributes)?;
    if request.module && (request.group_features || !request.releases.is_empty()) {
        let problem =
            Problem::error("releases and features of groups need a crate of their own: a module has no features");
        let hint = "give --crate NAME in place of --module, and depend on that crate; or, for a module, one document with \
                    --openapi in place of each --release, and no --group-features";
        return Err(problem.hint(hint).into());
    }
    let (mut lowered, documents) = lower(&request)?;
    let (mut problems, mut left_out) = (lowered.problems, lowered.left_out);
    let names = if request.keep_going {
        left_out.named(&mut lowered.api, &renames, &mut problems, documents.sources())
    } else {
        names::allocate(&lowered.api, &renames, &mut problems)
    };
    if !left_out.is_empty() && lowered.api.groups.is_empty() {
        problems.push(Problem::error("nothing is left to generate"));
    }
    let mut asked = extras::check(&extras, &lowered.api);
    left_out.excuse(&mut asked);
    problems.extend(asked);
    let warnings = problems.located_in(documents.sources()).into_result()?;
    let tree = render::krate(&lowered.api, &names, &extras, &request)?;
    let tree = if request.module { as_module(&tree) } else { tree };
    Ok(Generated {
        tree: emit::with_manifest(tree),
        report: Report::of(&lowered.api, lowered.skipped),
        notes: lowered.notes.into_iter().chain(k8s_types::needs(&lowered.api)).collect(),
        warnings,
        left_out,
    })
}

/// What is made of the inputs and why, for people to read: names, paths, the tree of types, what was made looser.
///
/// # Errors
/// As [`generate`].
pub fn explain(request: &Request) -> Result<String, Problems> {
    let renames = names::Renames::parse(&request.renames)?;
    let (lowered, documents) = lower(&request.strict())?;
    let mut problems = lowered.problems;
    let names = names::allocate(&lowered.api, &renames, &mut problems);
    let warnings = problems.located_in(documents.sources()).into_result()?;
    Ok(explain::text(&lowered.api, &names, &warnings, documents.sources()))
}

/// The sources of a crate as a module: `src/lib.rs` becomes `mod.rs`.
fn as_module(tree: &Tree) -> Tree {
    let mut module = Tree::new();
    for (path, contents) in tree.iter() {
        match path.strip_prefix("src/") {
            Some("lib.rs") => {
                // It is written as a library, and the crate around it may not use it all.
                let mark = "#![cfg_attr(rustfmt, rustfmt_skip)]";
                let lints = format!("#![allow(dead_code, unreachable_pub, unused_imports)]\n{mark}");
                module.insert("mod.rs", contents.replacen(mark, &lints, 1));
            }
            Some(path) => drop(module.insert(path, contents)),
            None => {}
        }
    }
    module
}

/// What the generator understood of the inputs, as JSON for people to read. Its form is no promise.
///
/// # Errors
/// As [`generate`].
pub fn dump_model(request: &Request) -> Result<String, Problems> {
    let (lowered, documents) = lower(&request.strict())?;
    lowered.problems.located_in(documents.sources()).into_result()?;
    let broken = |error| Problem::internal(format!("the model can't be written as JSON: {error}"));
    Ok(serde_json::to_string_pretty(&lowered.api).map_err(broken)?)
}

/// Which kinds of the inputs get an informer, and which not and why; nothing is rendered.
///
/// # Errors
/// As [`generate`].
pub fn report(request: &Request) -> Result<Report, Problems> {
    let (lowered, documents) = lower(&request.strict())?;
    lowered.problems.located_in(documents.sources()).into_result()?;
    Ok(Report::of(&lowered.api, lowered.skipped))
}

/// Objects of every kind of the CRDs, as a server would give them back, made from their schemas by chance: for tests of
/// the types. Each kind gets at least `count`: with every field, with none, with null and with every value of an enum
/// first, then by chance. The same `seed` gives the same ones.
///
/// # Errors
/// As [`generate`]. Kinds of OpenAPI documents get none.
pub fn samples(request: &Request, count: usize, seed: u64) -> Result<Vec<Samples>, Problems> {
    sampled(request, |schema, kind| sample::objects(schema, kind, count, seed))
}

/// `count` objects of every kind of the CRDs as a person would write them to try the kind out: all of them with the
/// same fields, what is required and some of what is not, and with other values as far as the schema has room for
/// them. Values are made by their types alone: patterns and rules of validation may refuse them.
///
/// # Errors
/// As [`generate`]. Kinds of OpenAPI documents get none.
pub fn plain_samples(request: &Request, count: usize) -> Result<Vec<Samples>, Problems> {
    sampled(request, |schema, kind| sample::plain(schema, kind, count))
}

fn sampled(
    request: &Request,
    objects: impl Fn(document::node::Node<'_>, &model::Kind) -> Vec<Sample>,
) -> Result<Vec<Samples>, Problems> {
    let renames = names::Renames::parse(&request.renames)?;
    let (lowered, documents) = lower(&request.strict())?;
    let mut problems = lowered.problems;
    let names = names::allocate(&lowered.api, &renames, &mut problems);
    let crds = documents.crds(&mut Problems::new()).crds;
    let mut samples = Vec::new();
    for (group, group_names) in lowered.api.groups.iter().zip(&names.groups) {
        for (version, version_names) in group.versions.iter().zip(&group_names.versions) {
            for (kind, names) in version.kinds.iter().zip(&version_names.kinds) {
                let Some(schema) = crds.iter().find_map(|crd| lower::schema_of(*crd, kind)) else { continue };
                samples.push(Samples {
                    group: kind.group.clone(),
                    version: kind.version.clone(),
                    kind: kind.kind.clone(),
                    plural: kind.plural.clone(),
                    namespaced: kind.namespaced,
                    path: format!("{}::{}::{}", group_names.module, version_names.module, names.type_name),
                    accessor: names.accessor.clone(),
                    objects: objects(schema, kind),
                });
            }
        }
    }
    problems.located_in(documents.sources()).into_result()?;
    Ok(samples)
}

struct Lowered {
    api: model::Api,
    skipped: Vec<model::Skipped>,
    notes: Vec<String>,
    problems: Problems,
    left_out: LeftOut,
}

fn lower(request: &Request) -> Result<(Lowered, Documents), Problems> {
    if request.inputs.is_empty() && request.openapi.is_empty() && request.releases.is_empty() {
        return Err(Problem::error("no inputs are named")
            .hint("name a file or folder with CRDs, or an OpenAPI document")
            .into());
    }
    let has_stdin = |inputs: &[Input]| inputs.contains(&Input::Stdin);
    let by_release = request.releases.iter().filter(|(_, input)| *input == Input::Stdin).count();
    if usize::from(has_stdin(&request.inputs)) + usize::from(has_stdin(&request.openapi)) + by_release > 1 {
        return Err(Problem::error("standard input can be read once only, but several inputs are it").into());
    }
    let mut types = lower::TypeMap::new(&request.types)?;
    types.shares = !request.own_types;
    let mut problems = Problems::new();
    let (mut documents, stdin) = (Documents::default(), &mut std::io::stdin().lock());
    documents.read_crds(request, stdin, &mut problems);
    let (mut crds, mut notes) = (Vec::new(), Vec::new());
    if !request.inputs.is_empty() {
        let found = documents.crds(&mut problems);
        notes = found.notes();
        crds = lower::crds(&found.crds, &types, &mut problems);
    }
    let mut left_out = LeftOut::default();
    if request.keep_going {
        problems.forgive();
        left_out = LeftOut::of(&problems, documents.sources());
        crds = left_out.without(crds, documents.sources());
    }
    // Only now, since nothing that is wrong with one of these is forgiven.
    documents.read_openapi(request, stdin, &mut problems);
    let specs = documents.specs(&mut problems);
    let found = lower::openapi(&specs, &types, &mut problems);
    if let (Some(spec), true, true, false) =
        (specs.first(), found.kinds.is_empty(), crds.is_empty(), problems.has_errors())
    {
        problems.push(lower::nothing(spec, &found.skipped));
    }
    drop(specs);
    let kinds = lower::crds_first(crds, found.kinds, &mut problems);
    let api = lower::api(kinds, found.definitions, &mut problems);
    Ok((Lowered { api, skipped: found.skipped, notes, problems, left_out }, documents))
}

/// Cargo's rules for names of crates, and the names that a crate which depends on the runtime can't have.
fn check_crate_name(name: &str) -> Result<(), Problem> {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let ident = name.replace('-', "_");
    let hint = "take letters, digits, `-` and `_`, with a letter first, such as `shop-informers`";
    if name.len() > 64 || !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(good) {
        return Err(Problem::error(format!("{name:?} can't be the name of a crate")).hint(hint));
    }
    let taken = ["core", "std", "alloc", "test", "proc_macro", "informer_runtime"];
    if taken.contains(&ident.as_str()) || syn::parse_str::<syn::Ident>(&ident).is_err() {
        return Err(
            Problem::error(format!("{name:?} can't be the name of a crate: it means something else")).hint(hint)
        );
    }
    Ok(())
}

/// A line for `[dependencies]` must be one, and nothing else.
fn check_dependency(line: &str) -> Result<(), Problem> {
    let one = line.parse::<toml::Table>().is_ok_and(|table| table.len() == 1);
    if one && !line.contains(['\n', '\r']) && !line.trim_start().starts_with('[') {
        return Ok(());
    }
    Err(Problem::error(format!("{line:?} is no line of [dependencies]"))
        .hint("write it as in Cargo.toml: example-types = \"1\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_crates_are_checked() {
        for name in ["shop-informers", "shop_2", "gen"] {
            assert!(check_crate_name(name).is_ok(), "{name}");
        }
        for name in ["", "2shop", "a b", "a/../b", "größe", "std", "fn", "self", "informer-runtime", "x\"\nevil = \""]
        {
            assert!(check_crate_name(name).is_err(), "{name}");
        }
    }
}
