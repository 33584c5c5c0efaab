//! Real OpenAPI documents: those of a folder that `INFORMER_CORPUS` names. Without one there is nothing to do.

mod specs;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use informer_gen::{Input, Release, Request, dump_model, generate, prune, report};
use serde_json::Value;
use specs::specs;

/// The folder with the documents; without one it says that the test is skipped.
fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("INFORMER_CORPUS").map(|folder| PathBuf::from(folder).join("openapi"));
    if folder.is_none() {
        println!("skipped: INFORMER_CORPUS names no folder with real documents");
    }
    folder
}

fn request(path: PathBuf) -> Request {
    Request::new("x", "x").command("make it").openapi(Input::Path(path))
}

fn text(path: &Path) -> String {
    let mut text = String::new();
    GzDecoder::new(fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

/// The kinds with an informer, and those without and why.
fn coverage(request: &Request) -> Value {
    serde_json::from_str(&report(request).unwrap_or_else(|problems| panic!("{problems}")).json()).unwrap()
}

/// A model without descriptions: the two forms of 1.32 are of different patches.
fn without_docs(model: &str) -> String {
    model.lines().filter(|line| !line.trim_start().starts_with("\"docs\": ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn h23_both_forms_of_a_release_give_the_same_model() {
    let Some(corpus) = corpus() else { return };
    let folders = fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().path());
    let both: Vec<_> = folders.filter(|folder| folder.join("v2").exists() && folder.join("v3").exists()).collect();
    assert!(both.len() >= 5, "{both:?}");
    for folder in both {
        let model = |form: &str| without_docs(&dump_model(&request(folder.join(form))).unwrap());
        assert_eq!(model("v2/swagger.json.gz"), model("v3"), "{}", folder.display());
    }
}

#[test]
fn committed_documents_are_the_whole_ones_pruned_and_give_the_same_crate() {
    let Some(corpus) = corpus() else { return };
    let all = |document: &dyn Fn(&(Release, PathBuf)) -> String| {
        let request = Request::new("x", "x").command("make it");
        let mut request = specs().iter().fold(request, |request, spec| {
            request.release(spec.0, Input::Text { name: format!("{}.json", spec.0), text: document(spec) })
        });
        request.group_features = true;
        request.docs = false;
        generate(&request).unwrap().tree
    };
    let whole = |(release, _): &(Release, PathBuf)| text(&corpus.join(format!("{release}/v2/swagger.json.gz")));
    let committed = |(_, path): &(Release, PathBuf)| fs::read_to_string(path).unwrap();
    for spec in specs() {
        let pruned = prune(&Input::Text { name: "whole.json".into(), text: whole(&spec) }, Some(spec.0)).unwrap();
        assert_eq!(pruned, committed(&spec), "{}", spec.0);
    }
    assert_eq!(all(&whole), all(&committed));
}

#[test]
fn documents_with_generated_types_are_the_same_when_pruned() {
    let Some(corpus) = corpus() else { return };
    for path in [
        "1.5/v2/swagger.json.gz",
        "noncore/karmada/swagger.json.gz",
        "noncore/kubevirt/swagger.json.gz",
        "1.37-crds/ceph.rook.io_v1.json.gz",
    ] {
        let whole = corpus.join(path);
        let small = prune(&Input::Path(whole.clone()), None).unwrap();
        let tree = |input: Input| {
            let mut request = Request::new("x", "x").command("make it").openapi(input);
            request.docs = false;
            generate(&request).unwrap_or_else(|problems| panic!("{path}: {problems}")).tree
        };
        let named = |text: String| Input::Text { name: "openapi.json".into(), text };
        assert_eq!(tree(named(text(&whole))), tree(named(small)), "{path}");
    }
}

#[test]
fn a_release_before_those_of_k8s_openapi() {
    let Some(corpus) = corpus() else { return };
    let path = "1.31/v2/swagger.json.gz";
    // Counted by the marks of the document's operations alone: of 71 kinds with a `list`, all but this one have a
    // `watchlist` too.
    let mut marked = [BTreeSet::new(), BTreeSet::new()];
    let document: Value = serde_json::from_str(&text(&corpus.join(path))).unwrap();
    let items = document["paths"].as_object().unwrap().values().filter_map(Value::as_object);
    for operation in items.flat_map(|item| item.values()) {
        let kind = ["group", "version", "kind"].map(|key| operation["x-kubernetes-group-version-kind"][key].clone());
        let of_kind = kind.map(|name| name.as_str().unwrap_or_default().to_owned());
        match operation["x-kubernetes-action"].as_str() {
            Some("list") => marked[0].insert(of_kind),
            Some("watchlist") => marked[1].insert(of_kind),
            _ => continue,
        };
    }
    let [lists, watches] = marked;
    assert_eq!(lists.len(), 71);
    assert_eq!(lists.difference(&watches).collect::<Vec<_>>(), [&["", "v1", "ComponentStatus"].map(str::to_owned)]);
    let request = request(corpus.join(path));
    let coverage = coverage(&request);
    let rows = coverage["informers"].as_array().unwrap().iter();
    let informers: BTreeSet<_> =
        rows.map(|row| ["group", "version", "kind"].map(|key| row[key].as_str().unwrap().to_owned())).collect();
    assert_eq!((informers.len(), &informers), (70, &(&lists & &watches)));
    // What k8s-openapi has no type for any more is generated from the document.
    let tree = generate(&request).unwrap().tree;
    assert!(tree.iter().any(|(_, text)| text.contains("pub struct FlowSchemaSpec")));
}

#[test]
fn documents_that_a_server_of_1_29_gave() {
    let Some(corpus) = corpus() else { return };
    // Two documents: 15 kinds of the core group and 5 of apps, by their marks; the index leads to the same two.
    let kinds = |input: &str| coverage(&request(corpus.join("1.29-live").join(input)))["informers"].clone();
    let count = |group: &str| kinds("v3").as_array().unwrap().iter().filter(|row| row["group"] == group).count();
    assert_eq!((count(""), count("apps"), kinds("v3").as_array().unwrap().len()), (15, 5, 20));
    assert_eq!(kinds("v3"), kinds("v3/index.json.gz"));
    assert!(generate(&request(corpus.join("1.29-live/v3"))).is_ok());
}

#[test]
fn a_server_of_2017_has_its_deployments() {
    let Some(corpus) = corpus() else { return };
    let coverage = coverage(&request(corpus.join("1.5/v2")));
    let mut informers = coverage["informers"].as_array().unwrap().iter();
    assert!(informers.any(|row| {
        row["group"] == "extensions"
            && row["version"] == "v1beta1"
            && row["plural"] == "deployments"
            && row["namespaced"] == true
    }));
}

#[test]
fn documents_of_other_servers() {
    let Some(corpus) = corpus() else { return };
    let of = |path: &str| request(corpus.join(path));
    for (path, count) in [("noncore/karmada", 19), ("noncore/kubevirt", 18)] {
        assert_eq!(coverage(&of(path))["informers"].as_array().unwrap().len(), count, "{path}");
    }
    for (path, message) in [
        ("noncore/argo-workflows", "this is no document of a Kubernetes API (Argo Workflows API)"),
        ("noncore/kubeflow-trainer", "this document has types but no paths"),
        ("noncore/openshift-api", "this document has types but no paths"),
        ("noncore/tekton", "this document has types but no paths"),
        ("noncore/metrics.k8s.io", "nothing in the documents can be both listed and watched"),
        // the definitions of a whole cluster, 20 MB
        ("openshift-1.35.2-cluster", "this is a JSON Schema: types but no paths"),
    ] {
        let problems = generate(&of(path)).unwrap_err();
        let problem = problems.iter().next().unwrap();
        assert!(problem.message().contains(message), "{path}: {problem:?}");
        assert!(problems.location(problem).unwrap().contains(".json.gz:"), "{path}");
    }
}
