//! The same kinds twice: from real CRDs, and from the documents that a real server made of them.

use std::path::PathBuf;

use informer_gen::{Input, Request, dump_model, generate};
use serde_json::Value;

/// The document of a group and version as a server of 1.37 gave it, and the file with the CRD that was put into that
/// server, alone.
const SERVED: [(&str, &str, &str); 15] = [
    ("apiextensions.crossplane.io_v1", "crossplane/apiextensions.crossplane.io_compositions.yaml", "compositions"),
    ("autoscaling.k8s.io_v1", "vpa/autoscaling.k8s.io_v1_verticalpodautoscalers.yaml", "verticalpodautoscalers"),
    ("ceph.rook.io_v1", "rook/crds.yaml", "cephobjectzones"),
    (
        "groupsnapshot.storage.k8s.io_v1",
        "snapshot-controller/groupsnapshot.storage.k8s.io_volumegroupsnapshots.yaml",
        "volumegroupsnapshots",
    ),
    (
        "groupsnapshot.storage.k8s.io_v1beta1",
        "snapshot-controller/groupsnapshot.storage.k8s.io_volumegroupsnapshots.yaml",
        "volumegroupsnapshots",
    ),
    (
        "groupsnapshot.storage.k8s.io_v1beta2",
        "snapshot-controller/groupsnapshot.storage.k8s.io_volumegroupsnapshots.yaml",
        "volumegroupsnapshots",
    ),
    ("kafka.strimzi.io_v1", "strimzi/045-Crd-kafkanodepool.yaml", "kafkanodepools"),
    ("monitoring.coreos.com_v1", "prometheus-operator/monitoring.coreos.com_prometheusrules.yaml", "prometheusrules"),
    ("mutations.gatekeeper.sh_v1", "gatekeeper/mutations.gatekeeper.sh_assign.yaml", "assign"),
    ("mutations.gatekeeper.sh_v1alpha1", "gatekeeper/mutations.gatekeeper.sh_assign.yaml", "assign"),
    ("mutations.gatekeeper.sh_v1beta1", "gatekeeper/mutations.gatekeeper.sh_assign.yaml", "assign"),
    ("route.openshift.io_v1", "openshift/routes.crd.yaml", "routes"),
    ("tekton.dev_v1", "tekton/300-pipeline.yaml", "pipelines"),
    ("tekton.dev_v1beta1", "tekton/300-pipeline.yaml", "pipelines"),
    ("traefik.io_v1alpha1", "traefik/traefik.io_ingressroutes.yaml", "ingressroutes"),
];

fn request() -> Request {
    Request::new("x", "x").command("make it")
}

/// The kind in the model that was made of an input.
fn kind(request: &Request, group: &str, version: &str, plural: &str) -> Value {
    let model = dump_model(request).unwrap_or_else(|problems| panic!("{problems}"));
    let model: Value = serde_json::from_str(&model).unwrap();
    let groups = model["groups"].as_array().unwrap().iter();
    let versions = groups.flat_map(|group| group["versions"].as_array().unwrap());
    let mut kinds = versions.flat_map(|version| version["kinds"].as_array().unwrap());
    let is_it = |kind: &&Value| kind["group"] == group && kind["version"] == version && kind["plural"] == plural;
    kinds.find(is_it).unwrap_or_else(|| panic!("no {plural}")).clone()
}

/// What differs, and why it does.
const EXPLAINED: [(&str, &str, &str); 1] = [(
    "groupsnapshot.storage.k8s.io_v1beta1",
    "/deprecated",
    "the CRD says that the version is deprecated, and the server's document says so nowhere",
)];

/// The places in which two values differ. The values of a place are compared as a whole where their fields differ.
fn differences(a: &Value, b: &Value) -> Vec<String> {
    let mut open = vec![(String::new(), a, b)];
    let mut found = Vec::new();
    while let Some((place, a, b)) = open.pop() {
        match (a, b) {
            (Value::Object(fields), Value::Object(others)) if fields.keys().eq(others.keys()) => {
                open.extend(fields.iter().map(|(key, value)| (format!("{place}/{key}"), value, &others[key])));
            }
            (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
                open.extend(items.iter().zip(others).enumerate().map(|(at, (a, b))| (format!("{place}/{at}"), a, b)));
            }
            (a, b) if a == b => {}
            _ => found.push(place),
        }
    }
    found
}

/// The lines of the file with the types of a kind, but for its head, which names the input.
fn types(request: &Request, group: &str, version: &str, plural: &str) -> Vec<String> {
    let tree = generate(request).unwrap_or_else(|problems| panic!("{problems}")).tree;
    let folder = format!("src/{}/{version}/", group.replace(['.', '-'], "_"));
    let plural = format!("const URL_PATH_SEGMENT: &'static str = {plural:?};");
    let mut files = tree.iter().filter(|(path, text)| path.starts_with(&folder) && text.contains(&plural));
    let (_, text) = files.next().expect("a file with the types");
    text.lines().skip_while(|line| line.starts_with("// ")).map(str::to_owned).collect()
}

/// Takes the defaults out of what was made of a CRD, and counts them. The documents of servers are not asked for any:
/// for Kubernetes' own types they are full of empty ones, which say nothing, and in Swagger 2 they are left out.
fn without_defaults(model: &mut Value) -> usize {
    let (mut open, mut count) = (vec![model], 0);
    while let Some(value) = open.pop() {
        match value {
            Value::Array(values) => {
                let before = values.len();
                values.retain(|value| value.get("Default").is_none());
                count += before - values.len();
                open.extend(values);
            }
            Value::Object(fields) => {
                // Without facts there is no list of them.
                let only_default = fields
                    .get("facts")
                    .and_then(Value::as_array)
                    .is_some_and(|facts| !facts.is_empty() && facts.iter().all(|fact| fact.get("Default").is_some()));
                if only_default {
                    fields.remove("facts");
                    count += 1;
                }
                open.extend(fields.values_mut());
            }
            _ => {}
        }
    }
    count
}

/// The same for lines of Rust.
fn without_default_lines(lines: Vec<String>) -> Vec<String> {
    let is_default = |line: &str| {
        let line = line.trim_start();
        line.starts_with("/// Default: ") || line == "/// Has a default."
    };
    let mut kept: Vec<String> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if !is_default(line) {
            kept.push(line.clone());
        } else if !lines.get(at + 1).is_some_and(|next| next.trim_start().starts_with("///"))
            && kept.last().is_some_and(|last| last.trim() == "///")
        {
            kept.pop();
        }
    }
    kept
}

#[test]
fn a_kind_is_the_same_from_its_crd_and_from_the_servers_document() {
    let Some(corpus) = std::env::var_os("INFORMER_CORPUS").map(PathBuf::from) else {
        println!("skipped: INFORMER_CORPUS names no folder with real CRDs");
        return;
    };
    let (mut differing, mut defaults) = (Vec::new(), 0);
    for (document, crd, plural) in SERVED {
        let (group, version) = document.rsplit_once('_').unwrap();
        let crd = request().input(Input::Path(corpus.join("crds").join(crd)));
        let served = request().openapi(Input::Path(corpus.join(format!("openapi/1.37-crds/{document}.json.gz"))));
        let [mut from_crd, from_served] = [&crd, &served].map(|request| kind(request, group, version, plural));
        defaults += without_defaults(&mut from_crd);
        differing.extend(differences(&from_crd, &from_served).into_iter().map(|place| (document, place)));
        let [from_crd, mut from_served] = [&crd, &served].map(|request| types(request, group, version, plural));
        let from_crd = without_default_lines(from_crd);
        assert!(from_crd.len() > 50, "{document}: there are types");
        if from_crd != from_served {
            // The note on a deprecated version, which stands in the docs of the type.
            let note = from_crd.iter().position(|line| line.starts_with("/// **Deprecated**: version"));
            let note = note.unwrap_or_else(|| panic!("{document}: the types differ, and in more than a note"));
            from_served.splice(note - 1..note - 1, from_crd[note - 1..=note].iter().cloned());
            assert_eq!(from_crd, from_served, "{document}");
        }
    }
    let differing: Vec<(&str, &str)> = differing.iter().map(|(document, place)| (*document, place.as_str())).collect();
    for (document, place, why) in EXPLAINED {
        println!("{document} at {place}: {why}");
    }
    println!("{defaults} defaults are told in docs where the CRD is read, and not where the server's document is");
    println!("{} kinds, {} differences, {} explained", SERVED.len(), differing.len(), EXPLAINED.len());
    assert!(defaults > 0);
    assert_eq!(differing, EXPLAINED.map(|(document, place, _)| (document, place)));
}
