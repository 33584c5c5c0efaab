//! Types that exist: k8s-openapi's, and those of a user's map.

use serde_json::json;

use crate::document::{Document, Resource, WIDGET, coverage, file, reference, request};

/// A document whose Pods are those of Kubernetes.
fn pods() -> Document {
    let pod = Resource { group: "", version: "v1", kind: "Pod", plural: "pods", namespaced: true };
    Document::of(&[pod]).renamed("test.example.v1.Pod", "io.k8s.api.core.v1.Pod")
}

#[test]
fn built_in_kinds_have_the_types_of_k8s_openapi_and_short_accessors() {
    let request = request(&pods().v2());
    assert_eq!(coverage(&request).0, ["/v1/pods Pod namespaced k8s_openapi::api::core::v1::Pod"]);
    let version = file(&request, "src/core/v1/mod.rs");
    assert!(version.contains("pub use ::informer_runtime::codegen::k8s_openapi::api::core::v1::Pod;"), "{version}");
    assert!(file(&request, "src/core/v1/pod.rs").lines().count() < 30);
    let library = file(&request, "src/lib.rs");
    assert!(library.contains("pub use super::core::CoreInformers as _;"), "{library}");
}

#[test]
fn a_definition_of_another_group_is_not_the_type_of_k8s_openapi() {
    // A type of k8s-openapi is of one group and version: in another group the definition needs a type of its own.
    let mut document = pods();
    let marks =
        json!([{"group": "", "version": "v1", "kind": "Pod"}, {"group": "old", "version": "v1", "kind": "Pod"}]);
    document.definitions.get_mut("io.k8s.api.core.v1.Pod").unwrap()["x-kubernetes-group-version-kind"] = marks;
    assert_eq!(coverage(&request(&document.v2())).0, ["/v1/pods Pod namespaced generated"]);
}

#[test]
fn a_users_types_and_types_within_types() {
    let mut document = Document::of(&[WIDGET]);
    document.definitions.get_mut(&WIDGET.definition()).unwrap()["properties"]["spec"] =
        reference("test.example.parts.Spec");
    document.definitions.insert(
        "test.example.parts.Spec".into(),
        json!({"type": "object", "properties": {
            "template": reference("io.k8s.api.core.v1.PodTemplateSpec"),
            "labels": {"type": "array", "items": reference("io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector")},
        }}),
    );
    let types = file(&request(&document.v2()), "src/definitions/test_example_parts.rs");
    assert!(types.contains("codegen::k8s_openapi::api::core::v1::PodTemplateSpec"), "{types}");

    let mut mapped = request(&document.v2());
    mapped.types =
        vec![("test.example".into(), "shop_types".into()), ("test.example.parts".into(), "part_types::all".into())];
    mapped.dependencies = vec!["shop-types = \"1\"".into()];
    assert_eq!(coverage(&mapped).0, ["shop.example.test/v1/widgets Widget namespaced shop_types::v1::Widget"]);
    let version = file(&mapped, "src/shop_example_test/v1/mod.rs");
    assert!(version.contains("pub use ::shop_types::v1::Widget;"), "{version}");
    assert!(file(&mapped, "Cargo.toml").contains("\nshop-types = \"1\"\n"));

    mapped.types.remove(0);
    let types = file(&mapped, "src/shop_example_test/v1/widget.rs");
    assert!(types.contains("pub spec: Option<::part_types::all::Spec>"), "{types}");
    mapped.types = vec![("io.k8s.api".into(), String::new())];
    assert!(informer_gen::generate(&mapped).unwrap_err().to_string().contains("PodTemplateSpec"));
}

#[test]
fn a_bad_map_or_dependency_is_refused() {
    let mut request = request(&pods().v2());
    request.types = vec![("a".into(), "not a path".into())];
    assert!(informer_gen::generate(&request).unwrap_err().to_string().contains("make no map of types"));
    request.types.clear();
    request.dependencies = vec!["a = \"1\"\n[profile]".into()];
    assert!(informer_gen::generate(&request).unwrap_err().to_string().contains("is no line of [dependencies]"));
}
