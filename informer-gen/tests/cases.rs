//! The numbered cases of CRDs that generators got wrong: what becomes of their names and types. That outputs like these
//! compile and keep objects as they are is shown by `tests/outputs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use informer_gen::{Input, Request, Tree, generate};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A CRD of this kind in `shop.example.test/v1` whose spec has these properties.
fn crd(kind: &str, properties: &str) -> String {
    let plural = format!("{}s", kind.to_lowercase());
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {plural}.shop.example.test}}\n\
         spec:\n  group: shop.example.test\n  scope: Namespaced\n  names: {{kind: {kind}, plural: {plural}}}\n  versions:\n  \
         - name: v1\n    served: true\n    storage: true\n    schema: {{openAPIV3Schema: {{type: object, properties: \
         {{spec: {{type: object, properties: {{{properties}}}}}}}}}}}\n"
    )
}

fn tree(crds: &[String]) -> Tree {
    let request = Request::new("shop-informers", "out").command("make it");
    let request = crds.iter().enumerate().fold(request, |request, (at, text)| {
        request.input(Input::Text { name: format!("{at}.yaml"), text: text.clone() })
    });
    generate(&request).unwrap_or_else(|problems| panic!("{problems}")).tree
}

fn widget(properties: &str) -> String {
    let tree = tree(&[crd("Widget", properties)]);
    tree.get("src/shop_example_test/v1/widget.rs").unwrap().to_owned()
}

/// The Rust names and the JSON names of every object and enum, by the path of its module and its name.
fn names(file: &str) -> BTreeMap<String, Vec<(String, String)>> {
    let mut found = BTreeMap::new();
    let mut open: Vec<(String, TokenStream)> = vec![(String::new(), file.parse().unwrap())];
    while let Some((path, tokens)) = open.pop() {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            let TokenTree::Group(group) = token else { continue };
            let before = |back: usize| at.checked_sub(back).map(|at| tokens[at].to_string()).unwrap_or_default();
            if group.delimiter() != Delimiter::Brace {
                continue;
            }
            if before(2) == "mod" {
                open.push((format!("{path}{}::", before(1)), group.stream()));
            } else if before(1) == "!" && matches!(before(2).as_str(), "object" | "string_enum") {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let Some(TokenTree::Group(fields)) = inner.last() else { panic!("{group}") };
                found.insert(format!("{path}{}", inner[inner.len() - 2]), pairs(fields.stream()));
            }
        }
    }
    found
}

fn pairs(fields: TokenStream) -> Vec<(String, String)> {
    let fields: Vec<TokenTree> = fields.into_iter().collect();
    let equals = fields.windows(3).filter(|three| three[1].to_string() == "=");
    equals
        .map(|three| (three[0].to_string(), syn::parse_str::<syn::LitStr>(&three[2].to_string()).unwrap().value()))
        .collect()
}

/// Every JSON name once, every Rust name once, and all of them identifiers.
#[track_caller]
fn all_there(found: &[(String, String)], wanted: &[&str]) {
    let (rust, json): (BTreeSet<&str>, BTreeSet<&str>) =
        found.iter().map(|(rust, json)| (rust.as_str(), json.as_str())).unzip();
    assert_eq!(json, wanted.iter().copied().collect::<BTreeSet<_>>());
    assert_eq!((rust.len(), found.len()), (wanted.len(), wanted.len()), "{found:?}");
    for name in rust {
        assert!(syn::parse_str::<syn::Ident>(name).is_ok() && name != "gen", "{name}");
    }
}

#[test]
fn b35_reserved_words_are_fields() {
    let words = ["type", "ref", "use", "impl", "async", "gen", "try", "box", "self", "Self", "super", "crate", "union"];
    let properties: String = words.iter().fold(String::new(), |mut text, word| {
        write!(text, "{word}: {{type: string}}, ").unwrap();
        text
    });
    let inner = "match: {type: object, properties: {where: {type: string}}}, loop: {type: array, items: {type: object, \
                 properties: {fn: {type: string}}}}, kind: {type: string, enum: [self, Self, crate, type]}";
    let names = names(&widget(&(properties + inner)));
    let all: Vec<&str> = words.iter().copied().chain(["match", "loop", "kind"]).collect();
    all_there(&names["WidgetSpec"], &all);
    all_there(&names["spec::Match"], &["where"]);
    all_there(&names["spec::Loop"], &["fn"]);
    all_there(&names["spec::Kind"], &["self", "Self", "crate", "type"]);
}

#[test]
fn b36_b37_values_that_differ_by_symbols_or_case_only() {
    for values in [
        &["=", "!=", "=~", "!~", "", "*", "+", "-", "<", ">="][..],
        &["1.2.5", "1.2.6", "1.0.0-rc1", "10"],
        &["/", "/a b", "a/b", "a_b", "a.b"],
        &["C", "C++", "c", "日本"],
        &["replace", "Replace", "REPLACE", "keep", "Keep"],
    ] {
        let of = |values: &[&str]| {
            let list = serde_json::to_string(values).unwrap();
            names(&widget(&format!("op: {{type: string, enum: {list}}}"))).remove("spec::Op").unwrap()
        };
        let found = of(values);
        all_there(&found, values);
        // The order of values changes no name.
        let back: Vec<&str> = values.iter().rev().copied().collect();
        assert_eq!(found.iter().collect::<BTreeSet<_>>(), of(&back).iter().collect::<BTreeSet<_>>());
    }
}

#[test]
fn b37_fields_that_differ_by_case_or_separators_only() {
    let twins = ["podName", "pod_name", "PodName", "pod-name", "fooBar", "foobar"];
    let properties: String = twins.iter().fold(String::new(), |mut text, name| {
        write!(text, "{name}: {{type: string}}, ").unwrap();
        text
    });
    let maps = "labels: {type: object, additionalProperties: {type: string}}, Labels: {type: object, properties: {a: {type: string}}}";
    let found = names(&widget(&(properties.clone() + maps))).remove("WidgetSpec").unwrap();
    all_there(&found, &["podName", "pod_name", "PodName", "pod-name", "fooBar", "foobar", "labels", "Labels"]);
    // Nothing that is added renames them.
    let more = names(&widget(&(properties + maps + ", zoo: {type: string}"))).remove("WidgetSpec").unwrap();
    assert!(found.iter().all(|pair| more.contains(pair)));
}

#[test]
fn b38_kinds_and_fields_with_names_of_the_prelude() {
    let kinds =
        ["Option", "Result", "Box", "Default", "Vec", "String", "Api", "Resource", "Client", "Lister", "Factory"];
    let fields = "string: {type: object, properties: {a: {type: string}}}, vec: {type: array, items: {type: object, properties: \
                  {a: {type: string}}}}, option: {type: object, properties: {a: {type: array, items: {type: string}}}}";
    let tree = tree(&kinds.map(|kind| crd(kind, fields)));
    for kind in kinds {
        let declared = format!("\npub struct {kind} {{");
        assert_eq!(tree.iter().filter(|(_, text)| text.contains(&declared)).count(), 1, "{kind}");
    }
    let option = tree.get("src/shop_example_test/v1/option.rs").unwrap();
    assert!(option.contains("::std::option::Option<") && !option.contains(": Option<"), "{option}");
}

#[test]
fn b39_two_paths_never_make_one_type() {
    let fields = "ports: {type: object, properties: {metricsRelabel: {type: object, properties: {a: {type: string}}}}}, \
                  portsMetrics: {type: object, properties: {relabel: {type: object, properties: {b: {type: integer}}}}}, \
                  status: {type: object, properties: {spec: {type: object, properties: {c: {type: string}}}}}";
    let widgets = crd("Widget", fields);
    let alone = tree(std::slice::from_ref(&widgets));
    let path = "src/shop_example_test/v1/widget.rs";
    let found = names(alone.get(path).unwrap());
    all_there(&found["spec::ports::MetricsRelabel"], &["a"]);
    all_there(&found["spec::ports_metrics::Relabel"], &["b"]);
    all_there(&found["spec::status::Spec"], &["c"]);
    let body = |tree: &Tree| tree.get(path).unwrap().split_once("\n\n").unwrap().1.to_owned();
    assert_eq!(body(&alone), body(&tree(&[crd("FooBarList", ""), widgets, crd("Foo", "barList: {type: string}")])));
}

#[test]
fn b41_integers_or_strings_have_one_type_everywhere() {
    let mark = "x-kubernetes-int-or-string: true";
    let file = widget(&format!(
        "a: {{{mark}}}, b: {{{mark}, anyOf: [{{type: integer}}, {{type: string}}]}}, c: {{{mark}, type: string, pattern: a}}, \
         d: {{type: string, format: int-or-string}}, e: {{type: array, items: {{{mark}}}}}, \
         f: {{type: object, additionalProperties: {{{mark}}}}}, g: {{{mark}, nullable: true}}"
    ));
    assert_eq!(file.matches("IntOrString").count(), 7, "{file}");
}

#[test]
fn b42_maps_and_lists_within_each_other() {
    let text = "{type: string}";
    let file = widget(&format!(
        "m1: {{type: object, additionalProperties: {{type: object, properties: {{a: {text}}}}}}}, \
         m2: {{type: object, additionalProperties: {{type: object, additionalProperties: {{type: integer}}}}}}, \
         m3: {{type: object, additionalProperties: {{type: array, items: {{type: object, properties: {{c: {text}}}}}}}}}, \
         a1: {{type: array, items: {{type: array, items: {text}}}}}, \
         a2: {{type: array, items: {{type: object, additionalProperties: {{type: array, items: {text}}}}}}}, \
         open: {{type: object, properties: {{a: {text}}}, additionalProperties: true}}"
    ));
    for wanted in [
        "pub m1: Option<::std::collections::BTreeMap<String, spec::M1>>,",
        "BTreeMap<String, ::std::collections::BTreeMap<String, i64>>",
        "BTreeMap<String, Vec<spec::M3>>",
        "pub a1: Option<Vec<Vec<String>>>,",
        "Vec<::std::collections::BTreeMap<String, Vec<String>>>",
    ] {
        let dense = |text: &str| text.split_whitespace().collect::<String>().replace(",>", ">");
        assert!(dense(&file).contains(&dense(wanted)), "{wanted} in:\n{file}");
    }
    assert!(file.contains("..extra"), "{file}");
}

#[test]
fn b51_descriptions_of_any_form_are_comments_and_nothing_else() {
    let text = "a\rb */ /* \u{202e} <T> [x](y \u{2028} ```\nfn main() { panic!() }\n    let a = 1;\n! # \\";
    let description = serde_json::to_string(text).unwrap();
    let file =
        widget(&format!("size: {{type: string, description: {description}}}, none: {{type: string, description: ''}}"));
    assert!(!file.contains(['\r', '\u{202e}', '\u{2028}']), "{file}");
    let inside = file.lines().filter(|line| line.contains("panic!"));
    assert!(inside.clone().count() == 1 && inside.clone().all(|line| line.trim_start().starts_with("///")), "{file}");
}
