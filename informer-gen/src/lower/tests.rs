//! CRDs as text in, model or messages out.

use crate::document::Documents;
use crate::model::{Api, Kind, Object, Objects, Presence, Shape};
use crate::problem::{Problems, Severity};
use crate::request::{Input, Request};

fn lower(text: &str) -> (Api, Problems) {
    let mut problems = Problems::new();
    let input = Input::Text { name: "crds.yaml".into(), text: text.into() };
    let mut documents = Documents::default();
    documents.read_crds(&Request::new("x", "x").input(input), &mut std::io::empty(), &mut problems);
    let found = documents.crds(&mut problems);
    let api = Api::of(super::crds(&found.crds, &super::TypeMap::new(&[]).unwrap(), &mut problems));
    drop(found);
    (api, problems.located_in(documents.sources()))
}

fn generated(kind: Kind) -> Object {
    match kind.objects {
        Objects::Generated(object) => object,
        Objects::Known(_) | Objects::Served(_) => panic!("the types of CRDs are generated"),
    }
}

fn crd(spec: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.shop.example.test}}\nspec:\n  group: shop.example.test\n{spec}"
    )
}

fn with_schema(schema: &str) -> String {
    crd(&format!(
        "  names: {{kind: Widget, plural: widgets}}\n  scope: Namespaced\n  versions:\n  - {{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {schema}}}}}\n"
    ))
}

fn errors(text: &str) -> Vec<String> {
    let (_, problems) = lower(text);
    let errors = problems.iter().filter(|problem| problem.severity() == Severity::Error);
    errors.map(|problem| format!("{} {}", problem.json_pointer().unwrap_or("-"), problem.message())).collect()
}

fn spec_of(schema: &str) -> Vec<(String, Presence, Shape)> {
    let (api, problems) = lower(&with_schema(schema));
    assert!(!problems.has_errors(), "{problems}");
    let kind = api.kinds().next().unwrap().clone();
    generated(kind).fields.into_iter().map(|field| (field.name, field.presence, field.shape)).collect()
}

#[test]
fn served_versions_in_kubernetes_order() {
    let schema = "schema: {openAPIV3Schema: {type: object}}";
    let text = crd(&format!(
        "  scope: Cluster\n  versions:\n  - {{name: v1alpha1, served: false, {schema}}}\n  - {{name: v2beta1, served: true, {schema}}}\n  - {{name: v10, served: true, {schema}}}\n  - {{name: v9, served: true, storage: true, deprecated: true, deprecationWarning: use v10, {schema}}}\n  names: {{plural: widgets, kind: widget, listKind: Widgets}}\n"
    ));
    let (api, problems) = lower(&text);
    assert!(!problems.has_errors(), "{problems}");
    let kinds: Vec<_> = api.kinds().map(|kind| (kind.version.as_str(), kind.deprecated.is_some())).collect();
    assert_eq!(kinds, [("v10", false), ("v9", true), ("v2beta1", false)]);
    let kind = api.kinds().next().unwrap();
    assert!(!kind.namespaced && kind.kind == "widget" && kind.list_kind == "Widgets" && kind.singular == "widget");
}

#[test]
fn what_is_declared_is_checked() {
    let rest = "  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]\n";
    let text = crd(&format!("  names: {{kind: 1st, plural: Widgets}}\n  scope: Global\n{rest}"));
    assert_eq!(
        errors(&text),
        [
            "/spec/names/kind spec.names.kind \"1st\" is not a kind: letters, digits and `-`, a letter first",
            "/spec/names/plural spec.names.plural \"Widgets\" is not a resource name: lower-case letters, digits and `-`",
            "/spec/scope spec.scope is \"Global\"",
        ]
    );
    let text = crd(&format!("  names: {{kind: Widget, plural: widgets}}\n  scope: Global\n{rest}"));
    assert_eq!(errors(&text), ["/spec/scope spec.scope is \"Global\""]);
    let text = crd(&format!("  names: {{kind: Widget, plural: gadgets}}\n  scope: Cluster\n{rest}"));
    let message = "metadata.name is \"widgets.shop.example.test\", but spec says \"gadgets.shop.example.test\"";
    assert_eq!(errors(&text), [format!("/metadata/name {message}")]);
    let text = crd(&format!("  names: {{kind: Widget}}\n{rest}"));
    assert_eq!(errors(&text), ["/spec spec.scope is missing", "/spec/names spec.names.plural is missing"]);
}

#[test]
fn versions_are_checked() {
    let head = "  names: {kind: Widget, plural: widgets}\n  scope: Cluster\n";
    let versions = |list: &str| errors(&crd(&format!("{head}  versions: {list}\n")));
    assert_eq!(versions("[]"), ["/spec/versions spec.versions must be a list with at least one version"]);
    let schema = "schema: {openAPIV3Schema: {type: object}}";
    let none = "/spec/versions no version of Widget is served, so there is nothing to watch";
    assert_eq!(versions(&format!("[{{name: v1, served: false, storage: true, {schema}}}]")), [none]);
    assert_eq!(
        versions("[{name: v1, served: true, storage: true}]"),
        ["/spec/versions/0 version v1 has no schema.openAPIV3Schema"]
    );
    assert_eq!(
        versions(&format!("[{{name: V_1, served: true, storage: true, {schema}}}]")),
        ["/spec/versions/0 version name \"V_1\" is not a lower-case DNS label"]
    );
    assert_eq!(
        versions(&format!(
            "[{{name: v1, served: true, storage: true, {schema}}}, {{name: v2, served: true, storage: true, {schema}}}, {{name: v2, {schema}}}]"
        )),
        [
            "/spec/versions/1 more than one version is marked `storage: true`",
            "/spec/versions/2 version v2 is declared twice",
        ]
    );
}

#[test]
fn schemas_are_checked() {
    let at = "/spec/versions/0/schema/openAPIV3Schema";
    let schema = "{type: object, properties: {a: {type: text}, b: {$ref: x}, c: 5, 'd/e': {type: [string, null]}, f: {type: object, properties: []}}, required: a}";
    assert_eq!(
        errors(&with_schema(schema)),
        [
            format!("{at}/properties/a/type `type: text` is none of object, array, string, integer, number, boolean"),
            format!("{at}/properties/b/$ref `$ref` is not allowed in the schema of a CRD"),
            format!("{at}/properties/c a schema must be an object, but is a number"),
            format!("{at}/properties/d~1e/type `type` must be one type name, but is a list"),
            format!("{at}/properties/f/properties `properties` must be an object, but is a list"),
            format!("{at}/required `required` must be a list of strings, but is a string"),
        ]
    );
    assert_eq!(
        errors(&with_schema("{type: string}")),
        [format!("{at}/type the root of a schema must be of type object")]
    );
}

#[test]
fn shapes_follow_what_the_server_stores() {
    let fields = spec_of(
        "{type: object, required: [a, b], properties: {a: {type: string, format: date-time}, b: {type: string, nullable: true}, \
         c: {type: string, nullable: true, default: x}, d: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}, \
         e: {type: object}, f: {x-kubernetes-preserve-unknown-fields: true}, g: {type: integer, format: int32, enum: [1, 2]}, \
         h: {type: string, enum: [x, x, null]}, i: {type: object, x-kubernetes-embedded-resource: true, properties: {kind: {type: string}}}, \
         j: {type: array, items: {type: object, additionalProperties: {type: number, nullable: true}}}, kind: {type: string}, metadata: {type: object}}}",
    );
    let find = |name: &str| fields.iter().find(|field| field.0 == name).unwrap();
    assert_eq!((find("a").1, &find("a").2), (Presence::Required, &Shape::Text));
    assert_eq!(find("b").1, Presence::RequiredNullable);
    assert_eq!(find("c").1, Presence::ThreeStates);
    assert_eq!((find("d").1, &find("d").2), (Presence::Optional, &Shape::IntOrString));
    assert_eq!(find("e").2, Shape::AnyObject);
    assert_eq!(find("f").2, Shape::Any);
    assert_eq!(find("g").2, Shape::Integer);
    assert!(matches!(&find("h").2, Shape::Enum(values) if values.values == ["x"]));
    assert_eq!(find("i").2, Shape::AnyObject);
    let Shape::List(items) = &find("j").2 else { panic!() };
    assert!(matches!(&items.shape, Shape::Map(values) if values.nullable && values.shape == Shape::Number));
    assert!(!fields.iter().any(|field| field.0 == "kind" || field.0 == "metadata"));
}

#[test]
fn roots_without_a_spec() {
    let (api, _) = lower(&with_schema("{type: object, x-kubernetes-preserve-unknown-fields: true}"));
    assert!(generated(api.kinds().next().unwrap().clone()).open);
    assert_eq!(
        spec_of("{type: object, properties: {spec: {type: array, items: {type: string}}}}")[0].1,
        Presence::Optional
    );
    assert_eq!(spec_of("{type: object, properties: {data: {type: string}}}").len(), 1);
}

#[test]
fn deep_schemas_end_in_json_with_a_warning() {
    let nested = |open: &str, close: &str| {
        format!("{{type: object, properties: {{a: {}{{type: string}}{}}}}}", open.repeat(200), close.repeat(200))
    };
    for text in [nested("{type: object, properties: {a: ", "}}"), nested("{type: array, items: ", "}")] {
        let (api, problems) = lower(&with_schema(&text));
        assert!(!problems.has_errors(), "{problems}");
        assert_eq!(problems.iter().filter(|problem| problem.message().starts_with("nested too deep")).count(), 1);
        assert_eq!(api.kinds().count(), 1);
    }
}

#[test]
fn a_wrong_declaration_hides_no_wrong_schema() {
    let text = crd(
        "  scope: Namespace\n  names: {kind: Widget, plural: widget}\n  versions:\n  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: strng}}}}}\n  - {name: V2, served: true}\n",
    );
    let places: Vec<String> =
        errors(&text).iter().map(|error| error.split(' ').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(
        places,
        [
            "/metadata/name",
            "/spec/scope",
            "/spec/versions/0/schema/openAPIV3Schema/properties/spec/type",
            "/spec/versions/1"
        ]
    );
}
