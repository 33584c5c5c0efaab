//! Kinds, groups and versions: what of them is in names, and what goes over the wire.

use informer_outputs::{groups, kinds, names, versions};
use informer_runtime::codegen::k8s_openapi::{ListableResource, Resource as _};
use informer_runtime::codegen::serde_json::{self, Value, json};
use informer_runtime::codegen::{GenericInformer, Resource};

use crate::{factory, keeps};

fn row<'a>(rows: &'a [Resource], group: &str, plural: &str) -> &'a Resource {
    rows.iter().find(|row| row.group() == group && row.plural() == plural).unwrap()
}

#[tokio::test]
async fn h06_h07_b45_declared_plurals_are_in_paths_and_accessors() {
    let group = "shop.example.test";
    let factory = factory();
    let v1 = {
        use kinds::prelude::*;
        factory.shop_example_test().v1()
    };
    let accessors: [(&str, &str, &dyn GenericInformer); 9] = [
        ("Redis", "redis", &v1.redis()),
        ("VaultSecret", "vault-secrets", &v1.vault_secrets()),
        ("SigningKey", "signingkeies", &v1.signingkeies()),
        ("InstanceAgent", "agents", &v1.agents()),
        ("Endpoints", "endpoints", &v1.endpoints()),
        ("Policy", "policies", &v1.policies()),
        ("Kinesis", "kinesis", &v1.kinesis()),
        ("Gateway", "gateways", &v1.gateways()),
        ("Assign", "assign", &v1.assign()),
    ];
    for (kind, plural, informer) in accessors {
        let row = row(kinds::RESOURCES, group, plural);
        assert_eq!(row.kind(), kind);
        assert_eq!(row.path(Some("red")), format!("/apis/{group}/v1/namespaces/red/{plural}"));
        assert_eq!(informer.resource(), row);
    }
    assert_eq!(row(groups::RESOURCES, "core.example.test", "barz").path(None), "/apis/core.example.test/self/barz");
}

#[tokio::test]
async fn h01_h05_b46_one_kind_in_two_groups_with_one_first_label() {
    use kinds::{snapshot_example_test as first, snapshot_other_test as second};
    let object =
        |group: &str| json!({"apiVersion": format!("{group}/v1"), "kind": "Backup", "metadata": {"name": "a"}});
    let _: first::v1::Backup = keeps(object("snapshot.example.test"));
    let _: second::v1::Backup = keeps(object("snapshot.other.test"));
    assert!(serde_json::from_value::<first::v1::Backup>(object("snapshot.other.test")).is_err());
    assert_eq!(
        Resource::of::<first::v1::Backup>().path(Some("red")),
        "/apis/snapshot.example.test/v1/namespaces/red/backups"
    );
    assert_eq!(Resource::of::<second::v1::Backup>().path(None), "/apis/snapshot.other.test/v1/backups");
    // Both at once, by one prelude.
    use kinds::prelude::*;
    let factory = factory();
    let (one, two) = (factory.snapshot_example_test().v1().backups(), factory.snapshot_other_test().v1().backups());
    assert_eq!(one.resource(), &Resource::of::<first::v1::Backup>());
    assert_eq!(two.resource(), &Resource::of::<second::v1::Backup>());
}

#[test]
fn h09_h10_h11_h12_kinds_keep_their_spelling() {
    use kinds::shop_example_test::v1::{APIMgmtAPI, Api, Client, Crate, Lib, PodIOChaos, Send, Super};
    use names::shop_example_test::v1::{AMDGPU, Mod, Postgresql, SelfKind, Type};
    fn kind<K: informer_runtime::codegen::k8s_openapi::Resource>() -> (&'static str, &'static str) {
        (K::KIND, std::any::type_name::<K>().rsplit("::").next().unwrap())
    }
    for (kind, type_name) in [
        kind::<APIMgmtAPI>(),
        kind::<PodIOChaos>(),
        kind::<AMDGPU>(),
        kind::<Lib>(),
        kind::<Mod>(),
        kind::<Type>(),
        kind::<Send>(),
        kind::<Api>(),
        kind::<Client>(),
    ] {
        assert_eq!(kind, type_name);
    }
    assert_eq!(kind::<Postgresql>(), ("postgresql", "Postgresql"));
    assert_eq!((kind::<SelfKind>().0, kind::<Crate>().0, kind::<Super>().0), ("Self", "Crate", "Super"));
    let object =
        json!({"apiVersion": "shop.example.test/v1", "kind": "postgresql", "metadata": {}, "spec": {"a": "x"}});
    let _: Postgresql = keeps(object);
}

#[test]
fn h14_what_is_a_list_is_declared() {
    use kinds::shop_example_test::v1::{FooBarList, Ports, RegistriesList};
    assert_eq!((RegistriesList::KIND, RegistriesList::LIST_KIND), ("RegistriesList", "RegistriesListList"));
    assert_eq!((Ports::KIND, Ports::LIST_KIND), ("Ports", "PortCollection"));
    assert_eq!(FooBarList::LIST_KIND, "FooBarListList", "where none is declared");
    let object = json!({"apiVersion": "shop.example.test/v1", "kind": "RegistriesList", "metadata": {"name": "a"}, "spec": {"a": "x"}});
    let _: RegistriesList = keeps(object);
}

#[test]
fn h17_b49_every_served_version_has_its_own_types() {
    use versions::shop_example_test as group;
    let rows: Vec<&str> = versions::RESOURCES.iter().map(Resource::version).collect();
    let mut sorted = ["v10", "v9", "v2", "v1", "v1beta1", "foo2bar"];
    sorted.sort_unstable();
    let mut found = rows.clone();
    found.sort_unstable();
    assert_eq!(found, sorted, "served ones alone");
    let object = |version: &str, size: &Value| json!({"apiVersion": format!("shop.example.test/{version}"), "kind": "Widget", "metadata": {}, "spec": {"size": size}});
    let (number, text, flag, list) = (json!(5), json!("x"), json!(true), json!([1]));
    let _: group::v10::Widget = keeps(object("v10", &number));
    let _: group::v9::Widget = keeps(object("v9", &number));
    let _: group::v2::Widget = keeps(object("v2", &list));
    let _: group::v1::Widget = keeps(object("v1", &number));
    let _: group::v1beta1::Widget = keeps(object("v1beta1", &text));
    let _: group::foo2bar::Widget = keeps(object("foo2bar", &flag));
    assert!(serde_json::from_value::<group::v1::Widget>(object("v1", &text)).is_err());
    assert!(serde_json::from_value::<group::v1::Widget>(object("v9", &number)).is_err());
}
