//! `cargo xtask demo --crd FILE`: the demo with CRDs of the user's.
//!
//! The program is `examples/demo/of_kind.rs`, which the workspace compiles and tests with a Widget; here the names of
//! the user's kind are put in. Its objects are made from the schema.

use crate::failure::{Failure, Result};
use crate::process;
use crate::say::say;
use crate::scratch::{self, Scratch, Source};
use crate::{flags, generate, root};
use informer_gen::{Input, Problems, Request, Samples, Severity};
use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::path::Path;

/// The crate that is made of the CRDs.
const CRATE: &str = "your-informers";

/// The program, below the root, and where its files go.
const PROGRAM: &str = "examples/demo/of_kind.rs";
const SOURCES: [Source<'static>; 2] = [
    Source { from: "examples/demo/lines.rs", to: "src/lines.rs" },
    Source { from: "examples/demo/values.rs", to: "src/values.rs" },
];

/// Objects for each kind that the program needs.
const OBJECTS: usize = 3;

/// Generates, compiles, runs; ends with what to try next.
///
/// # Errors
/// When the CRDs are wrong, none of them is the kind that was asked for, or a step fails or is interrupted.
pub(super) async fn run(flags: &flags::Demo) -> Result {
    // first of all, so that a mistake in the CRDs is told at once and touches nothing
    let kinds = informer_gen::plain_samples(&request(flags, Path::new(CRATE)), OBJECTS);
    let kinds = kinds.map_err(|problems| refused(&problems))?;
    let kind = chosen(&kinds, flags.kind.as_deref())?;
    let scratch = Scratch::new("demo", &[CRATE, "demo-program"], &[])?;
    let done = steps(flags, &kinds, kind, &scratch).await;
    if !flags.keep {
        scratch.remove()?;
    }
    done?;
    let crds: Vec<String> = flags.crds.iter().map(|path| typed(&path.display().to_string())).collect();
    let as_flags: String = crds.iter().map(|path| format!(" --crd {path}")).collect();
    say("");
    say(format!("That was {}, with objects made from its schema. Try next:", title(kind)));
    if flags.keep {
        let folder = generate::shown(scratch.folder()).to_string();
        say(format!("  less {folder}/{CRATE}/src/lib.rs"));
        say("                                             the generated crate");
        say(format!("  less {folder}/demo-program/src/main.rs    the program that has just run"));
    } else {
        let kind = flags.kind.as_ref().map_or(String::new(), |kind| format!(" --kind {}", typed(kind)));
        say(format!("  cargo xtask demo{as_flags}{kind} --keep"));
        say("                                             the same, and target/demo stays for a look");
    }
    say(format!("  cargo run -p informer-gen -- explain {}", crds.join(" ")));
    say("                                             what was made of your CRDs, and why");
    say(format!("  cargo run -p informer-gen --{as_flags} \\"));
    say("      --crate my-informers --out ../my-informers --runtime-path informer-runtime");
    say("                                             the crate, for your own program");
    Ok(())
}

fn request(flags: &flags::Demo, out: &Path) -> Request {
    let request =
        Request::new(CRATE, out).runtime_path(root::root().join("informer-runtime")).command("cargo xtask demo");
    flags.crds.iter().fold(request, |request, path| request.input(Input::Path(path.clone())))
}

async fn steps(flags: &flags::Demo, kinds: &[Samples], kind: &Samples, scratch: &Scratch) -> Result {
    let request = request(flags, &scratch.folder().join(CRATE));
    eprintln!("generating {CRATE} from {} …", listed(flags));
    let generated = informer_gen::generate(&request).map_err(|problems| refused(&problems))?;
    eprint!("{}", generated.warnings.render(colour()));
    informer_gen::write(&generated.tree, &request.out).map_err(|problems| refused(&problems))?;
    match kinds.len() {
        1 => {}
        count => eprintln!("{count} kinds and versions; the steps are gone through with {}", title(kind)),
    }
    let crates =
        [("informer-runtime", "informer-runtime"), ("informer-test-server", "tests/api-server"), (CRATE, CRATE)];
    scratch.package("demo-program", &SOURCES, &crates, &["serde_json", "tokio"])?;
    let program = scratch::read(&root::root().join(PROGRAM))?;
    scratch.write("demo-program/src/main.rs", &about(kind, &program))?;
    scratch.write("demo-program/objects.json", &objects(kinds))?;
    eprintln!("compiling it, and a program on it …");
    process::run(&mut scratch.cargo(["build", "--package", "demo-program"])).await?;
    let run = ["run", "--quiet", "--package", "demo-program", "--", "demo-program/objects.json"];
    process::run(&mut scratch.cargo(run)).await
}

/// A word as it is typed in a shell.
fn typed(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c);
    if word.chars().all(plain) && !word.is_empty() {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn listed(flags: &flags::Demo) -> String {
    flags.crds.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// The kind to go through the steps: the one that was asked for, or the first of them that lives in namespaces, since
/// there is more to see of it.
fn chosen<'a>(kinds: &'a [Samples], name: Option<&str>) -> Result<&'a Samples> {
    let Some(name) = name else {
        let namespaced = kinds.iter().find(|kind| kind.namespaced);
        return namespaced.or(kinds.first()).ok_or_else(|| Failure::new("the CRDs serve no version"));
    };
    let lower = name.to_lowercase();
    let found = kinds.iter().find(|kind| names(kind).contains(&lower));
    found.ok_or_else(|| {
        let known: Vec<String> = kinds.iter().map(resource).collect();
        Failure::new(format!("no kind {name:?} in the CRDs; there are {}", known.join(", ")))
    })
}

/// What a person may call it, in lower case.
fn names(kind: &Samples) -> Vec<String> {
    let Samples { group, version, .. } = kind;
    let short = [kind.kind.to_lowercase(), kind.plural.clone()];
    let long = short
        .iter()
        .flat_map(|name| [format!("{name}.{version}"), format!("{name}.{group}"), format!("{name}.{version}.{group}")]);
    long.chain(short.iter().cloned()).collect()
}

/// `widgets.v1.shop.example.test`, as the runtime writes it.
fn resource(kind: &Samples) -> String {
    format!("{}.{}.{}", kind.plural, kind.version, kind.group)
}

fn title(kind: &Samples) -> String {
    format!("{} ({})", kind.kind, resource(kind))
}

/// The program for another kind: each name of the Widget's in its place.
fn about(kind: &Samples, program: &str) -> String {
    let [group, version, type_name] = [0, 1, 2].map(|at| kind.path.split("::").nth(at).unwrap_or_default());
    let crate_name = CRATE.replace('-', "_");
    let mut text = String::new();
    let mut rest = program;
    while let Some(start) = rest.find(is_word) {
        let (between, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_word(c)).unwrap_or(from.len()));
        text += between;
        let funcs;
        text += match word {
            "shop_informers" => &crate_name,
            "shop_example_test" => group,
            "v1" => version,
            "Widget" => type_name,
            "widgets" => &kind.accessor,
            "WidgetEventHandlerFuncs" => {
                funcs = format!("{type_name}EventHandlerFuncs");
                &funcs
            }
            other => other,
        };
        rest = after;
    }
    text + rest
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The objects by resource, as the program reads them.
fn objects(kinds: &[Samples]) -> String {
    let mut text = String::from("{");
    for (at, kind) in kinds.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let objects: Vec<&str> = kind.objects.iter().map(|object| object.given.as_str()).collect();
        // names of resources are made of letters, digits, dots and dashes
        let _ = write!(text, "{comma}\n\"{}\": [{}]", resource(kind), objects.join(", "));
    }
    text + "\n}\n"
}

/// The problems as informer-gen tells them.
fn refused(problems: &Problems) -> Failure {
    eprintln!("{}", problems.render(colour()));
    let count = problems.iter().filter(|problem| problem.severity() == Severity::Error).count();
    Failure::new(format!("{count} problem{}; nothing was written", if count == 1 { "" } else { "s" }))
}

/// Whether standard error shows colours.
fn colour() -> bool {
    let minds = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    !minds && !dumb && std::io::stderr().is_terminal()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(kind: &str, plural: &str, version: &str, namespaced: bool) -> Samples {
        Samples {
            group: "shop.example.test".into(),
            version: version.into(),
            kind: kind.into(),
            plural: plural.into(),
            namespaced,
            path: format!("shop_example_test::{version}::{kind}"),
            accessor: plural.into(),
            objects: Vec::new(),
        }
    }

    #[test]
    fn the_kind_is_the_first_with_namespaces_or_the_one_that_was_asked_for() {
        let kinds = [
            kind("Area", "areas", "v1", false),
            kind("Gadget", "gadgets", "v1", true),
            kind("Area", "areas", "v1beta1", false),
        ];
        let found = |name| chosen(&kinds, name).map(resource).map_err(|failure| failure.to_string());
        assert_eq!(found(None).as_deref(), Ok("gadgets.v1.shop.example.test"));
        for name in ["Area", "areas", "areas.shop.example.test", "area.v1"] {
            assert_eq!(found(Some(name)).as_deref(), Ok("areas.v1.shop.example.test"), "{name}");
        }
        for name in ["area.v1beta1", "areas.v1beta1.shop.example.test"] {
            assert_eq!(found(Some(name)).as_deref(), Ok("areas.v1beta1.shop.example.test"), "{name}");
        }
        let none = "no kind \"Zone\" in the CRDs; there are areas.v1.shop.example.test, \
                    gadgets.v1.shop.example.test, areas.v1beta1.shop.example.test";
        assert_eq!(found(Some("Zone")), Err(none.to_owned()));
    }

    #[test]
    fn the_program_speaks_of_the_kind_alone() {
        let program = scratch::read(&root::root().join(PROGRAM)).expect("the program");
        let mut gadget = kind("Gadget", "gadgets", "v2alpha1", true);
        gadget.path = "other_example_test::v2alpha1::Gadget".into();
        let text = about(&gadget, &program);
        for gone in ["shop_informers", "shop_example_test", "Widget", "widgets", "v1"] {
            assert!(!text.split(|c| !is_word(c)).any(|word| word == gone), "{gone}");
        }
        assert!(text.contains("use your_informers::other_example_test::v2alpha1 as api;"));
        assert!(text.contains("factory.other_example_test().v2alpha1().gadgets()"));
        assert!(text.contains("api::GadgetEventHandlerFuncs::new()"));
        // whatever the kind is called, nothing but its names changes
        let same = kind("Widget", "widgets", "v1", true);
        assert_eq!(about(&same, &program), program.replace("shop_informers", "your_informers"));
    }

    #[test]
    fn words_are_typed_as_a_shell_takes_them() {
        assert_eq!(typed("crds/a-b_1.yaml"), "crds/a-b_1.yaml");
        assert_eq!(typed("crds/**/*.yaml"), "'crds/**/*.yaml'");
        assert_eq!(typed("it's here"), r"'it'\''s here'");
    }

    #[test]
    fn objects_are_told_by_their_resource() {
        let mut gadget = kind("Gadget", "gadgets", "v1", true);
        gadget.objects = vec![informer_gen::Sample { given: "{}".into(), written: None }];
        let text = objects(&[gadget, kind("Area", "areas", "v1", false)]);
        assert_eq!(text, "{\n\"gadgets.v1.shop.example.test\": [{}],\n\"areas.v1.shop.example.test\": []\n}\n");
    }
}
