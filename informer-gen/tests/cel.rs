//! Rules in CEL: what a server of Kubernetes 1.37 said to each in a CRD of this schema (`tests/data/cel.yaml`), and what
//! is said here. `tests/data/cel.tsv`: where the rule stands, perhaps with a flag that it has, the rule, the server's
//! answer, ours.
//!
//! A rule that the server takes must be taken. One that it refuses may be left to it where types would have to be known.

use std::fs;
use std::path::Path;

use informer_gen::{Input, Problems, Request, report};

fn data(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap()
}

fn judged(place: &str, rule: &str) -> Result<(), Problems> {
    let (place, flag) = place.split_once(' ').unwrap_or((place, ""));
    let flag = if flag.is_empty() { String::new() } else { format!(", {flag}: true") };
    let mark = format!("# rules of {place}\n");
    let rule = serde_json::to_string(rule).unwrap();
    let text = data("cel.yaml").replace(&mark, &format!("x-kubernetes-validations: [{{rule: {rule}{flag}}}]\n"));
    let request = Request::new("x", "x").input(Input::Text { name: "cel.yaml".into(), text });
    report(&request).map(drop)
}

#[test]
fn rules_are_refused_as_a_server_does() {
    let rows = data("cel.tsv");
    let (mut wrong, mut left) = (Vec::new(), 0);
    for row in rows.lines().skip(1) {
        let [place, rule, server, ours] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let said = if judged(place, rule).is_ok() { "taken" } else { "refused" };
        if said != ours || (server, ours) == ("taken", "refused") {
            wrong.push(format!("{row}: {said}"));
        }
        left += usize::from((server, ours) == ("refused", "taken"));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(rows.lines().count() > 80 && left <= 12, "{left} of {} are left to the server", rows.lines().count() - 1);
}

#[test]
fn what_is_told() {
    for (place, rule, message, hint) in [
        (
            "spec",
            "self.inner.dep == ''",
            "the rule names the field `dep` of `self.inner`, which has none of that name",
            "its fields are deep",
        ),
        ("spec", "size == ''", "nothing is called `size` here", "write `self.size`"),
        ("spec", "object.size == ''", "nothing is called `object` here", "a rule knows `self`"),
        ("spec", "self.size = 'a'", "this is no expression in CEL: it goes wrong at `= 'a'`", ""),
        ("spec", "self.size ==", "this is no expression in CEL: its end is missing", ""),
        ("spec", "self.size", "a rule must be true or false, but this is the value of a field", "compare it"),
        ("list", "self.all(x, x.size == '')", "the rule names the field `size` of `x`", "its fields are name"),
        ("root", "self.metadata.labels.size() > 0", "the field `labels` of `self.metadata`", "name, generateName"),
    ] {
        let problems = judged(place, rule).unwrap_err();
        let problem = problems.iter().next().unwrap();
        let text = problems.render(false);
        assert!(problem.message().contains(message) && text.contains(hint), "{rule}\n{text}");
        assert!(problem.json_pointer().unwrap().ends_with("/x-kubernetes-validations/0/rule"), "{text}");
    }
}

/// Whatever stands there, no stack overflows and no long time passes; what nobody knows is left to the server.
#[test]
fn hostile_rules_are_survived() {
    for (open, close) in
        [("(", ")"), ("[", "]"), ("!", ""), ("-", ""), ("self.list.all(x,", ")"), ("f(", ")"), ("a ? b : ", "")]
    {
        for times in [50, 200, 100_000] {
            let rule = format!("{}true{}", open.repeat(times), close.repeat(times));
            let _ = judged("spec", &rule);
        }
    }
    for chain in [".inner", "[0]", " + self.size", " && self.ready"] {
        let _ = judged("spec", &format!("self{}", chain.repeat(300)));
    }
    for strange in ["'", "\"\"\"", "\u{202e}", "\0", "r'", "{", "self.`", "1e999", "0x", "'\\u{110000}'"] {
        let _ = judged("spec", strange);
    }
}
