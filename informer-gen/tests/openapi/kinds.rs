//! What gets an informer: B45 to B50 and rows 19 to 22 of the hard inputs, in both forms.

use serde_json::json;

use crate::document::{Document, Resource, WIDGET, ZONE, coverage, file, request};

fn resource(group: &'static str, version: &'static str, kind: &'static str, plural: &'static str) -> Resource {
    Resource { group, version, kind, plural, namespaced: true }
}

/// Both forms must give the same.
#[track_caller]
fn both(document: &Document) -> (Vec<String>, Vec<String>) {
    let (v2, v3) = (coverage(&request(&document.v2())), coverage(&request(&document.v3())));
    assert_eq!(v2, v3);
    v2
}

#[test]
fn b45_plurals_are_those_of_the_paths() {
    let kinds = [
        ("Policy", "policies"),
        ("Kinesis", "kinesis"),
        ("Gateway", "gateways"),
        ("Data", "data"),
        ("Dns", "dnses"),
        ("NetworkAttach", "network-attach-defs"),
        ("Person", "people"),
        ("Foo", "barz"),
        ("Endpoints", "endpoints"),
    ];
    let resources = kinds.map(|(kind, plural)| resource("net.example.test", "v1", kind, plural));
    let document = Document::of(&resources);
    let (informers, _) = both(&document);
    for (kind, plural) in kinds {
        assert!(
            informers.contains(&format!("net.example.test/v1/{plural} {kind} namespaced generated")),
            "{informers:?}"
        );
    }
    let library = file(&request(&document.v2()), "src/lib.rs");
    assert!(library.contains(r#""Foo", "barz", true"#), "{library}");
    let accessors = file(&request(&document.v2()), "src/net_example_test/v1/mod.rs");
    assert!(accessors.contains("pub fn network_attach_defs(&self) -> NetworkAttachInformer"), "{accessors}");
}

#[test]
fn b46_groups_of_all_shapes_go_into_one_crate() {
    let groups = [
        "net.example.test",
        "net.other.test",
        "my-team.example.test",
        "3scale.example.test",
        "type.example.test",
        "",
        "events.k8s.io",
        "apps",
    ];
    let mut resources: Vec<Resource> =
        groups.iter().map(|group| resource(group, "v1", "Ingress", "ingresses")).collect();
    resources.extend(
        ["v1beta1", "v2alpha1", "v1-internal"]
            .map(|version| resource("net.example.test", version, "Ingress", "ingresses")),
    );
    let library = file(&request(&Document::of(&resources).v2()), "src/lib.rs");
    for module in [
        "net_example_test",
        "net_other_test",
        "my_team_example_test",
        "_3scale_example_test",
        "type_example_test",
        "core",
        "events",
        "apps",
    ] {
        assert!(library.contains(&format!("pub mod {module};")), "{module}\n{library}");
    }
    assert!(library.contains(r#"codegen::Resource::new("", "v1", "Ingress", "ingresses", true)"#));
    resources.reverse();
    assert_eq!(library, file(&request(&Document::of(&resources).v2()), "src/lib.rs"));
    let versions = file(&request(&Document::of(&resources).v2()), "src/net_example_test/mod.rs");
    assert!(versions.contains("pub mod v1_internal;"), "{versions}");
}

#[test]
fn b47_scope_is_that_of_the_paths() {
    let document = Document::of(&[WIDGET, ZONE]);
    let (informers, _) = both(&document);
    assert_eq!(
        informers,
        [
            "shop.example.test/v1/widgets Widget namespaced generated",
            "shop.example.test/v1/zones Zone cluster generated",
        ]
    );
    let zone = file(&request(&document.v2()), "src/shop_example_test/v1/zone_informer.rs");
    assert!(!zone.to_lowercase().contains("namespace"), "{zone}");
}

#[test]
fn b48_h19_h20_h21_only_what_can_be_listed_and_watched() {
    let kind = |kind, plural| resource("shop.example.test", "v1", kind, plural);
    let (listed, both_ways, created, old) =
        (kind("Alpha", "alphas"), kind("Beta", "betas"), kind("Gamma", "gammas"), kind("Delta", "deltas"));
    let mut without_watch = listed.list();
    without_watch["parameters"] = json!([]);
    let watch = json!({"get": {"x-kubernetes-action": "watchlist", "x-kubernetes-group-version-kind": old.mark()}});
    let scale = json!({"get": {"x-kubernetes-action": "get", "x-kubernetes-group-version-kind": {"group": "autoscaling", "version": "v1", "kind": "Scale"}}});
    let document = Document::default()
        .define(&listed)
        .define(&both_ways)
        .define(&created)
        .define(&old)
        .path(&listed.path(), json!({"get": without_watch}))
        .path(&both_ways.path(), json!({"get": both_ways.list()}))
        .path(&created.path(), json!({"post": created.create()}))
        .path(&old.path(), json!({"post": old.create()}))
        .path(&old.watch_path(), watch.clone())
        .path(&both_ways.watch_path(), watch)
        .path(&format!("{}/{{name}}/scale", both_ways.namespaced_path()), scale);
    let (informers, skipped) = both(&document);
    // A collection of its own for each namespace is not there, so the paths say cluster; and no get is needed.
    assert_eq!(informers, ["shop.example.test/v1/betas Beta cluster generated"]);
    assert_eq!(
        skipped,
        [
            "Scale is only a subresource of other objects",
            "Alpha can be listed, but not watched",
            "Delta can be watched, but not listed",
            "Gamma can only be created",
        ]
    );
}

#[test]
fn h19_the_parameter_alone_does_not_count_beside_watch_paths() {
    // As Kubernetes has it of ComponentStatus.
    let status = resource("shop.example.test", "v1", "PartStatus", "partstatuses");
    let document = Document::of(&[WIDGET]).define(&status).path(&status.path(), json!({"get": status.list()}));
    let (informers, skipped) = both(&document);
    assert_eq!(informers.len(), 1);
    assert!(skipped[0].starts_with("PartStatus can be listed, but not watched: "), "{skipped:?}");
    // Where no path watches, it is how the server says it: so it is for CRDs.
    let mut crds = document;
    crds.paths.remove(&WIDGET.watch_path());
    assert_eq!(both(&crds).0.len(), 2);
}

#[test]
fn b49_versions_in_the_order_of_kubernetes() {
    let versions = ["v1alpha1", "v10", "v1", "v2beta1", "v9"];
    let resources = versions.map(|version| resource("shop.example.test", version, "Widget", "widgets"));
    let (informers, _) = both(&Document::of(&resources));
    let order: Vec<&str> = informers.iter().map(|row| row.split('/').nth(1).unwrap()).collect();
    assert_eq!(order, ["v10", "v9", "v1", "v2beta1", "v1alpha1"]);
    let request = request(&Document::of(&resources).v2());
    let first = informer_gen::generate(&request).unwrap().tree;
    assert!((0..10).all(|_| informer_gen::generate(&request).unwrap().tree == first));
}

#[test]
fn h14_a_kind_whose_name_ends_in_list_is_a_kind() {
    let lists = resource("shop.example.test", "v1", "PriceList", "pricelists");
    let (informers, skipped) = both(&Document::of(&[lists, WIDGET]));
    assert_eq!(
        informers,
        [
            "shop.example.test/v1/pricelists PriceList namespaced generated",
            "shop.example.test/v1/widgets Widget namespaced generated",
        ]
    );
    assert!(skipped.is_empty(), "{skipped:?}");
}

#[test]
fn h20_paths_that_connect_to_something_else_are_no_resources() {
    let proxied = json!({"group": "", "version": "v1", "kind": "WidgetProxyOptions"});
    let connect =
        json!({"x-kubernetes-action": "connect", "x-kubernetes-group-version-kind": proxied, "responses": {}});
    let document = Document::of(&[WIDGET])
        .path(
            &format!("{}/{{name}}/proxy", WIDGET.namespaced_path()),
            json!({"get": connect.clone(), "post": connect.clone()}),
        )
        .path(&format!("{}/{{name}}/proxy/{{path}}", WIDGET.namespaced_path()), json!({"get": connect}));
    let (informers, _) = both(&document);
    assert_eq!(informers, ["shop.example.test/v1/widgets Widget namespaced generated"]);
}

#[test]
fn a_kind_under_two_names_has_one_informer() {
    let (new, old) = (resource("", "v1", "CronTask", "crontasks"), resource("", "v1", "CronTask", "alarms"));
    let (informers, skipped) = both(&Document::of(&[old, new]));
    assert_eq!(informers, ["/v1/crontasks CronTask namespaced generated"]);
    assert_eq!(skipped, ["CronTask is served as crontasks too, and has its informer there"]);
}
