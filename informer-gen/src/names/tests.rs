//! Names of groups, versions and kinds, and their clashes.

use super::*;
use crate::model::{Object, Objects};
use crate::source::{Sources, Span};

fn kind(group: &str, version: &str, kind: &str, plural: &str) -> Kind {
    let span = Span::start_of(Sources::default().add("crds.yaml", ""));
    Kind {
        group: group.into(),
        version: version.into(),
        kind: kind.into(),
        plural: plural.into(),
        singular: kind.to_lowercase(),
        list_kind: format!("{kind}List"),
        namespaced: true,
        deprecated: None,
        objects: Objects::Generated(Object::default()),
        releases: Default::default(),
        place: Place::new(span).crd(format!("{plural}.{group}")),
    }
}

fn messages(kinds: Vec<Kind>) -> Vec<String> {
    let mut problems = Problems::new();
    allocate(&Api::of(kinds), &mut problems);
    problems.iter().map(|problem| problem.message().to_owned()).collect()
}

const GROUP: &str = "shop.example.test";

#[test]
fn odd_kinds_live_together() {
    let kinds = [
        "Option",
        "Vec",
        "String",
        "Result",
        "Box",
        "Mod",
        "Lib",
        "Self",
        "Crate",
        "Super",
        "Type",
        "Lister",
        "Informer",
        "Factory",
        "Event",
        "AMDGPU",
        "postgresql",
        "WidgetList",
        "Widget",
        "WidgetSpec",
    ];
    let kinds = kinds.iter().map(|name| kind(GROUP, "v1", name, &name.to_lowercase())).collect();
    assert_eq!(messages(kinds), [""; 0]);
}

#[test]
fn same_kind_in_two_groups_and_versions() {
    let kinds = vec![
        kind("net.example.test", "v1", "Ingress", "ingresses"),
        kind("net.other.test", "v1", "Ingress", "ingresses"),
        kind("net.other.test", "v1beta1", "Ingress", "ingresses"),
    ];
    assert_eq!(messages(kinds), [""; 0]);
}

#[test]
fn clashes_name_both_origins_once() {
    assert_eq!(
        messages(vec![kind(GROUP, "v1", "Widget", "widgets"), kind(GROUP, "v1", "WidgetInformer", "widgetinformers")]),
        ["kind WidgetInformer (widgetinformers) and kind Widget (widgets) would both be `WidgetInformer` in Rust"]
    );
    assert_eq!(
        messages(vec![kind(GROUP, "v1", "HTTPRoute", "httproutes"), kind(GROUP, "v1", "HttpRoute", "httproutes2")]),
        ["kind HttpRoute (httproutes2) and kind HTTPRoute (httproutes) would both be `mod http_route` in Rust"]
    );
    assert_eq!(
        messages(vec![kind("a-b.test", "v1", "Widget", "widgets"), kind("a.b.test", "v1", "Zone", "zones")]),
        ["group a.b.test and group a-b.test would both be `a_b_test` in Rust"]
    );
    assert_eq!(
        messages(vec![kind(GROUP, "v1", "V1", "vones")]),
        ["the accessor of version v1 and kind V1 (vones) would both be `V1` in Rust"]
    );
}
