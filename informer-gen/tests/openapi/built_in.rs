//! Names of Kubernetes that k8s-openapi has no type for, or not for every release.

use informer_gen::{Release, Request, generate};
use serde_json::json;

use crate::document::{Document, Resource, WIDGET, coverage, file, reference, request, text};

/// k8s-openapi has the type for 1.37 alone.
const BUNDLE: Resource = Resource {
    group: "certificates.k8s.io",
    version: "v1",
    kind: "ClusterTrustBundle",
    plural: "clustertrustbundles",
    namespaced: false,
};
const BUNDLE_TYPE: &str = "k8s_openapi::api::certificates::v1::ClusterTrustBundle";

/// And this one up to 1.36.
const CLASS: Resource = Resource {
    group: "storage.k8s.io",
    version: "v1beta1",
    kind: "VolumeAttributesClass",
    plural: "volumeattributesclasses",
    namespaced: false,
};

fn document(resource: &Resource) -> Document {
    let group = resource.group.split('.').next().unwrap_or_default();
    let name = format!("io.k8s.api.{group}.{}.{}", resource.version, resource.kind);
    Document::of(&[*resource]).renamed(&resource.definition(), &name)
}

fn notes(request: &Request) -> Vec<String> {
    generate(request).unwrap_or_else(|problems| panic!("{problems}")).notes
}

#[test]
fn what_k8s_openapi_does_not_have_is_generated() {
    let gadget = Resource { group: "shop.k8s.io", kind: "Gadget", plural: "gadgets", ..WIDGET };
    for resource in [gadget, CLASS] {
        let request = request(&document(&resource).v2());
        let row = format!("{}/{}/{} {} ", resource.group, resource.version, resource.plural, resource.kind);
        let (rows, _) = coverage(&request);
        assert!(rows[0].starts_with(&row) && rows[0].ends_with(" generated"), "{rows:?}");
        assert!(!file(&request, "src/lib.rs").contains("compile_error"));
        assert!(notes(&request).is_empty());
    }
    // Inside of others too.
    let mut widget = Document::of(&[WIDGET]);
    widget.definitions.get_mut(&WIDGET.definition()).unwrap()["properties"]["spec"] = json!({"properties": {
        "new": reference("io.k8s.api.core.v1.Gadget"), "known": reference("io.k8s.api.core.v1.Toleration"),
    }});
    let gadget = json!({"type": "object", "properties": {"size": {"type": "string"}}});
    widget.definitions.insert("io.k8s.api.core.v1.Gadget".to_owned(), gadget);
    let request = request(&widget.v2());
    let types = file(&request, "src/shop_example_test/v1/widget.rs");
    assert!(types.contains("codegen::k8s_openapi::api::core::v1::Toleration"), "{types}");
    assert!(types.contains("definitions::io_k8s_api_core_v1::Gadget"), "{types}");
    assert!(file(&request, "src/definitions/io_k8s_api_core_v1.rs").contains("pub size: Option<String>"));
}

#[test]
fn a_type_of_some_releases_is_used_and_the_others_are_told_what_to_choose() {
    let mut request = request(&document(&BUNDLE).v2());
    let message = format!(
        "this crate is for Kubernetes 1.37, since k8s-openapi lacks types of it for other releases ({BUNDLE_TYPE}): \
         choose the release by the feature v1_37"
    );
    assert_eq!(notes(&request), [&*message]);
    let library = file(&request, "src/lib.rs");
    for minor in 33..=37 {
        let refused = library.contains(&format!("codegen::k8s_openapi::k8s_if_1_{minor}! {{"));
        assert_eq!(refused, minor != 37, "1.{minor}: {library}");
    }
    assert_eq!(library.matches(&message).count(), 4, "{library}");
    assert!(library.contains("//! It is for Kubernetes 1.37: "), "{library}");
    let report = informer_gen::report(&request).unwrap();
    assert!(report.to_string().contains(&format!("{BUNDLE_TYPE} (of Kubernetes 1.37)")), "{report}");
    assert!(report.json().contains("\"type_releases\": [\n        \"1.37\""), "{}", report.json());
    assert!(informer_gen::explain(&request).unwrap().contains(&format!("{BUNDLE_TYPE} (for Kubernetes 1.37)")));
    // A module has no build script, and needs none for this.
    request.module = true;
    assert!(file(&request, "mod.rs").contains("k8s_if_1_33! {"));
}

#[test]
fn a_document_of_a_release_has_the_types_of_that_release() {
    let of = |documents: &[(u16, &Resource)]| {
        documents.iter().fold(Request::new("x", "out").command("make it"), |request, (minor, resource)| {
            let input = text(&format!("1.{minor}.json"), &document(resource).v2());
            request.release(Release::new(*minor), input)
        })
    };
    let refused = |request: &Request| {
        let library = file(request, "src/lib.rs");
        (33..=37).filter(|minor| library.contains(&format!("k8s_if_1_{minor}! {{"))).collect::<Vec<_>>()
    };
    // Each kind is there only for the releases that have its type.
    let both = of(&[(36, &CLASS), (37, &BUNDLE)]);
    assert!(coverage(&both).0.iter().all(|row| row.contains("k8s_openapi::")), "{:?}", coverage(&both).0);
    assert!(refused(&both).is_empty());
    // The crate takes what it has for 1.36 to be there in later releases too, and k8s-openapi disagrees for 1.37.
    assert_eq!(refused(&of(&[(36, &CLASS)])), [37]);
    // A release that k8s-openapi has no more is like the first that it has.
    assert!(coverage(&of(&[(31, &CLASS)])).0[0].contains("k8s_openapi::"));
}
