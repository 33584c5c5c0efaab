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
        definition: None,
        releases: Default::default(),
        place: Place::new(span).crd(format!("{plural}.{group}")),
    }
}

fn messages(kinds: Vec<Kind>) -> Vec<String> {
    told(kinds, &[]).into_iter().map(|(message, _)| message).collect()
}

/// Messages and hints, with names that are asked for as `--rename` takes them.
fn told(kinds: Vec<Kind>, renames: &[&str]) -> Vec<(String, String)> {
    let renames: Vec<_> =
        renames.iter().filter_map(|text| text.rsplit_once('=')).map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
    let mut problems = Problems::new();
    match Renames::parse(&renames) {
        Ok(renames) => drop(allocate(&Api::of(kinds), &renames, &mut problems)),
        Err(refused) => problems = refused,
    }
    let text = |problem: &Problem| (problem.message().to_owned(), problem.hint_text().unwrap_or_default().to_owned());
    problems.iter().map(text).collect()
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
    for (more, plural) in [("Lister", "widgetlisters"), ("NamespaceLister", "widgetnamespacelisters")] {
        let name = format!("Widget{more}");
        assert_eq!(
            messages(vec![kind(GROUP, "v1", "Widget", "widgets"), kind(GROUP, "v1", &name, plural)]),
            [format!("kind {name} ({plural}) and kind Widget (widgets) would both be `{name}` in Rust")]
        );
    }
    assert_eq!(
        messages(vec![kind(GROUP, "v1", "HTTPRoute", "httproutes"), kind(GROUP, "v1", "HttpRoute", "httproutes2")]),
        ["kind HttpRoute (httproutes2) and kind HTTPRoute (httproutes) would both be `mod http_route` in Rust"]
    );
    assert_eq!(
        messages(vec![kind("a-b.test", "v1", "Widget", "widgets"), kind("a.b.test", "v1", "Zone", "zones")]),
        ["group a.b.test and group a-b.test would both be `a_b_test` in Rust"]
    );
    // The modules are `g3scale_test` and `_3scale_test`.
    assert_eq!(
        messages(vec![kind("g3scale.test", "v1", "Widget", "widgets"), kind("3scale.test", "v1", "Zone", "zones")]),
        ["group g3scale.test and group 3scale.test would both be `G3scaleTestInformers` in Rust"]
    );
    assert_eq!(
        messages(vec![kind(GROUP, "v1", "V1", "vones")]),
        ["the accessor of version v1 and kind V1 (vones) would both be `V1` in Rust"]
    );
}

/// Rows 1, 2, 8 and 13 of the hard inputs: the hint is what mends it.
#[test]
fn h01_h02_h08_h13_a_clash_is_mended_as_its_hint_says() {
    let cases: [(Vec<Kind>, &str); 6] = [
        (
            vec![kind("a-b.test", "v1", "Widget", "widgets"), kind("a.b.test", "v1", "Zone", "zones")],
            "group:a.b.test=a_dot_b_dot_test",
        ),
        (
            vec![kind(GROUP, "v1", "HTTPRoute", "httproutes"), kind(GROUP, "v1", "HttpRoute", "httproutes2")],
            "kind:shop.example.test/v1/HttpRoute=HttpRouteKind",
        ),
        (
            vec![kind(GROUP, "v1", "Widget", "widgets"), kind(GROUP, "v1", "WidgetInformer", "widgetinformers")],
            "kind:shop.example.test/v1/WidgetInformer=WidgetInformerKind",
        ),
        (
            vec![kind(GROUP, "v1", "Widget", "widgets"), kind(GROUP, "v1", "WidgetLister", "widgetlisters")],
            "kind:shop.example.test/v1/WidgetLister=WidgetListerKind",
        ),
        (
            vec![kind(GROUP, "v1", "Widget", "widgets"), kind(GROUP, "v1", "WidgetNamespaceLister", "listers")],
            "kind:shop.example.test/v1/WidgetNamespaceLister=WidgetNamespaceListerKind",
        ),
        (vec![kind(GROUP, "v1", "V1", "vones")], "kind:shop.example.test/v1/V1=V1Kind"),
    ];
    for (kinds, flag) in cases {
        let told_first = told(kinds.clone(), &[]);
        let hint = format!("give one of them another name, such as: --rename {flag}");
        assert_eq!(told_first.iter().map(|(_, hint)| hint.as_str()).collect::<Vec<_>>(), [hint.as_str()]);
        assert_eq!(told(kinds, &[flag]), []);
    }
    // Row 1: one first part, no clash at all.
    let snapshots = ["snapshot.storage.test", "snapshot.example.test"].map(|group| kind(group, "v1", "Shot", "shots"));
    assert_eq!(messages(snapshots.to_vec()), [""; 0]);
}

#[test]
fn names_that_clash_again_are_told_again() {
    let kinds = || vec![kind("a.test", "v1", "Widget", "widgets"), kind("b.test", "v1", "Widget", "widgets")];
    let (message, hint) = &told(kinds(), &["group:a.test=one", "group:b.test=one"])[0];
    assert_eq!(message, "group b.test and group a.test would both be `one` in Rust");
    assert!(hint.ends_with("--rename group:b.test=b_dot_test"), "{hint}");
    let two = vec![kind(GROUP, "v1", "Widget", "widgets"), kind(GROUP, "v1", "Zone", "zones")];
    let (message, hint) = &told(two, &["plural:shop.example.test/v1/zones=widgets"])[0];
    assert_eq!(message, "kind Zone (zones) and kind Widget (widgets) would both be `.widgets()` in Rust");
    assert!(hint.ends_with("--rename plural:shop.example.test/v1/zones=zone_objects"), "{hint}");
}

#[test]
fn wrong_names_and_origins_are_told() {
    let kinds = || vec![kind(GROUP, "v1", "Widget", "widgets"), kind(GROUP, "v1", "Zone", "zones")];
    for (rename, message, hint) in [
        ("kind:shop.example.test/v1/Widgets=A", "there is no kind:shop.example.test/v1/Widgets", "/v1/Widget`"),
        ("group:shop.test=shop", "there is no group:shop.test in the input", "`group:shop.example.test`"),
        ("Widget=A", "does not say what gets the name", "write group:"),
        ("kind:shop.example.test/v1/Widget=widget", "\"widget\" can't be its name", "like ShopWidget"),
        ("kind:shop.example.test/v1/Widget=Self", "\"Self\" can't be its name", "word of Rust"),
        ("kind:shop.example.test/v1/Widget=A;B", "\"A;B\" can't be its name", "like ShopWidget"),
        ("group:shop.example.test=Shop", "\"Shop\" can't be its name", "like shop_two"),
        ("group:shop.example.test=prelude", "\"prelude\" can't be its name", "has this name"),
        ("group:shop.example.test=definitions", "\"definitions\" can't be its name", "has this name"),
        ("group:shop.example.test=start", "\"start\" can't be its name", "has this name"),
        ("group:shop.example.test=", "\"\" can't be its name", "like shop_two"),
        ("plural:shop.example.test/v1/zones=list", "\"list\" can't be its name", "has this name"),
        ("plural:shop.example.test/v1/zones=type", "\"type\" can't be its name", "word of Rust"),
    ] {
        let told = told(kinds(), &[rename]);
        assert_eq!(told.len(), 1, "{rename}");
        assert!(told[0].0.contains(message) && told[0].1.contains(hint), "{told:?}");
    }
    let twice = told(kinds(), &["group:shop.example.test=a", "group:shop.example.test=a", "group:shop.example.test=b"]);
    assert!(twice.len() == 1 && twice[0].0.contains("has another name already"), "{twice:?}");
}

#[test]
fn a_group_is_called_by_its_name_alone() {
    let names = |kinds: Vec<Kind>| {
        let mut problems = Problems::new();
        let names = allocate(&Api::of(kinds), &Renames::default(), &mut problems);
        assert_eq!(problems.iter().count(), 0);
        names.groups.into_iter().map(|group| (group.module, group.accessor_type)).collect::<Vec<_>>()
    };
    let path = crate::model::RustPath::new("k8s_openapi::api::networking::v1::Ingress").unwrap();
    let known = Kind { objects: Objects::Known(path), ..kind("networking.k8s.io", "v1", "Ingress", "ingresses") };
    let own = kind("networking.k8s.io", "v1", "Zone", "zones");
    let short = [("networking".to_owned(), "Networking".to_owned())];
    for kinds in [vec![known.clone()], vec![own.clone()], vec![own, known.clone()]] {
        assert_eq!(names(kinds), short);
    }
    let gateways = kind("gateway.networking.k8s.io", "v1", "Gateway", "gateways");
    assert_eq!(names(vec![gateways, known])[0].0, "gateway_networking_k8s_io");
}
