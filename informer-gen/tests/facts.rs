//! What schemas demand of values, from CRDs: in docs, in the dumped model, in explanations; and left out on request.
//! The words themselves are in the golden `facts`.

use informer_gen::{Input, Request, dump_model, explain, generate, prune_crds};

const CRD: &str = include_str!("data/facts/input.yaml");

fn input() -> Input {
    Input::Text { name: "input.yaml".into(), text: CRD.into() }
}

fn types(request: &Request) -> String {
    let tree = generate(request).unwrap_or_else(|problems| panic!("{problems}")).tree;
    tree.get("src/shop_example_test/v1/widget.rs").unwrap().to_owned()
}

#[test]
fn facts_are_in_the_model_and_in_explanations() {
    let request = Request::new("shop-informers", "out").input(input());
    let model: serde_json::Value = serde_json::from_str(&dump_model(&request).unwrap()).unwrap();
    let root = &model["groups"][0]["versions"][0]["kinds"][0]["objects"]["Generated"];
    assert!(root["facts"][0]["Rule"]["Message"].as_str().unwrap().starts_with("a name has"), "{root}");
    let spec = &root["fields"][0]["shape"]["Object"];
    let large = spec["fields"].as_array().unwrap().iter().find(|field| field["name"] == "large").unwrap();
    assert_eq!(large["facts"][0], serde_json::json!({"Minimum": {"value": 0, "exclusive": true}}));
    let text = explain(&request).unwrap();
    let small = text.find("small: integer").unwrap();
    assert!(text[small..].contains("\n        At least 1, at most 10.\n        Default: 3.\n"), "{text}");
    assert!(text.contains("      Rule: self.small <= self.large.\n") && !text.contains('\u{202e}'), "{text}");
}

#[test]
fn without_docs_there_are_none() {
    let mut request = Request::new("shop-informers", "out").input(input());
    assert!(types(&request).contains("At least 1 key"));
    request.docs = false;
    let text = types(&request);
    for told in ["At least", "Rule:", "Default:", "Matches", "Format:"] {
        assert!(!text.contains(told), "{told} in:\n{text}");
    }
}

/// Sentences and expressions of others do not come into what is committed.
#[test]
fn pruned_crds_hold_no_rules_patterns_or_defaults() {
    let pruned = prune_crds(&input()).unwrap_or_else(|problems| panic!("{problems}"));
    let text = &pruned["widgets.shop.example.test"];
    for gone in ["x-kubernetes-validations", "less", "self", "pattern", "a-z", "minLength", "A widget", "\"a\": 3"] {
        assert!(!text.contains(gone), "{gone} in:\n{text}");
    }
    let request =
        Request::new("shop-informers", "out").input(Input::Text { name: "small.json".into(), text: text.clone() });
    let types = types(&request);
    assert!(!types.contains("Rule:") && !types.contains("efault.") && !types.contains("Default: "), "{types}");
}
