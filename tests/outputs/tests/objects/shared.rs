//! Types that kinds share.

use informer_outputs::shared::shop_example_test::v1::Widget;
use informer_runtime::Condition;
use informer_runtime::codegen::k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use informer_runtime::codegen::serde_json::json;

use crate::keeps;

#[test]
fn types_that_kinds_share_keep_their_objects() {
    let selector = json!({"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}, {"key": "c", "operator": "Exists"}],
        "matchLabels": {"x": "y"}});
    let condition = |status: &str| {
        json!({"lastTransitionTime": "2024-05-01T10:00:00.50+02:00", "message": "", "observedGeneration": i64::MAX,
            "reason": "Up", "status": status, "type": "Ready"})
    };
    let terms = json!([{"matchExpressions": [{"key": "a", "operator": "Exists"}], "matchFields": []}, {}]);
    let pod = json!({"labelSelector": selector, "matchLabelKeys": ["k"], "mismatchLabelKeys": [], "namespaceSelector": {},
        "namespaces": ["n"], "topologyKey": "zone"});
    let pods = json!({"preferredDuringSchedulingIgnoredDuringExecution": [{"podAffinityTerm": pod, "weight": i32::MIN}],
        "requiredDuringSchedulingIgnoredDuringExecution": [pod, {"topologyKey": ""}]});
    let object = json!({
        "apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {},
        "spec": {
            "selector": selector, "selectors": {"a": {}, "b": selector}, "perhaps": {"matchLabels": {}},
            "tolerations": [{"effect": "", "key": "k", "operator": "Exists", "tolerationSeconds": i64::MIN, "value": "v"}, {}],
            "affinity": {"podAffinity": pods, "podAntiAffinity": {}, "nodeAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [{"preference": {}, "weight": i32::MAX}],
                "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms},
            }},
            "owner": {"apiVersion": "v1", "fieldPath": "f", "kind": "k", "name": "n", "namespace": "s", "resourceVersion": "1", "uid": "u"},
            "envFrom": [{"configMapRef": {"name": "", "optional": true}, "prefix": "p"}, {"secretRef": {"name": "s"}}],
            "selectorOpen": {"more": [1]}, "tolerationInt32": {"tolerationSeconds": 1}, "envWithoutDefault": {"secretRef": {}},
        },
        "status": {"conditions": [condition("True"), condition("Later")], "plainConditions": [condition("")]},
    });
    let widget: Widget = keeps(object);
    let (spec, status) = (widget.spec.unwrap(), widget.status.unwrap());
    let _: Option<LabelSelector> = spec.selector;
    let conditions = || status.conditions.iter().flatten().chain(status.plain_conditions.iter().flatten());
    assert!(Condition::find(conditions(), "Ready").is_some_and(Condition::is_true));
}
