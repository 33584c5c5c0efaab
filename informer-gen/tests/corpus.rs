//! Real OpenAPI documents: those of a folder that `INFORMER_CORPUS` names. Without one there is nothing to do.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use informer_gen::{Input, Release, Request, dump_model, generate, prune, report};
use serde_json::Value;

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

const RELEASES: [u16; 5] = [33, 34, 35, 36, 37];

/// A model without descriptions: the two forms of 1.32 are of different patches.
fn without_docs(model: &str) -> String {
    model.lines().filter(|line| !line.trim_start().starts_with("\"docs\": ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn h23_both_forms_of_a_release_give_the_same_model() {
    let Some(corpus) = corpus() else { return };
    for release in ["1.32", "1.33", "1.34", "1.35", "1.37"] {
        let model = |form: &str| without_docs(&dump_model(&request(corpus.join(release).join(form))).unwrap());
        assert_eq!(model("v2/swagger.json.gz"), model("v3"), "{release}");
    }
}

#[test]
fn b48_every_release_has_as_many_informers_as_it_lists_and_watches() {
    let Some(corpus) = corpus() else { return };
    // k8s-openapi has one more listable type each, ComponentStatus, which servers can't watch.
    for (minor, count) in RELEASES.into_iter().zip([80, 82, 82, 87, 92]) {
        let coverage = coverage(&request(corpus.join(format!("1.{minor}/v2/swagger.json.gz"))));
        assert_eq!(coverage["informers"].as_array().unwrap().len(), count, "1.{minor}");
        let skipped = coverage["skipped"].as_array().unwrap();
        assert!(skipped.iter().any(|row| row["kind"] == "ComponentStatus"));
        assert_eq!(skipped.len(), 17, "1.{minor}");
    }
}

#[test]
fn committed_documents_are_the_whole_ones_pruned_and_give_the_same_crate() {
    let Some(corpus) = corpus() else { return };
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated/specs");
    let all = |document: &dyn Fn(u16) -> String| {
        let request = Request::new("x", "x").command("make it");
        let mut request = RELEASES.into_iter().fold(request, |request, minor| {
            let input = Input::Text { name: format!("1.{minor}.json"), text: document(minor) };
            request.release(Release::new(minor), input)
        });
        request.group_features = true;
        request.docs = false;
        generate(&request).unwrap().tree
    };
    let whole = |minor: u16| text(&corpus.join(format!("1.{minor}/v2/swagger.json.gz")));
    let committed = |minor: u16| fs::read_to_string(specs.join(format!("1.{minor}.json"))).unwrap();
    for minor in RELEASES {
        let pruned =
            prune(&Input::Text { name: "whole.json".into(), text: whole(minor) }, Some(Release::new(minor))).unwrap();
        assert_eq!(pruned, committed(minor), "1.{minor}");
    }
    assert_eq!(all(&whole), all(&committed));
    // A release that is taken out and put in again leaves no trace.
    let mut request = Request::new("x", "x").command("make it");
    for minor in [37, 36, 33, 35, 34] {
        request = request
            .release(Release::new(minor), Input::Text { name: format!("1.{minor}.json"), text: committed(minor) });
    }
    request.group_features = true;
    request.docs = false;
    assert_eq!(generate(&request).unwrap().tree, all(&committed));
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
    let noncore = |path: &str| request(corpus.join("noncore").join(path));
    for (path, count) in [("karmada", 19), ("kubevirt", 18)] {
        assert_eq!(coverage(&noncore(path))["informers"].as_array().unwrap().len(), count, "{path}");
    }
    for (path, message) in [
        ("argo-workflows", "this is no document of a Kubernetes API (Argo Workflows API)"),
        ("kubeflow-trainer", "this document has types but no paths"),
        ("openshift-api", "this document has types but no paths"),
        ("tekton", "this document has types but no paths"),
        ("metrics.k8s.io", "nothing in the documents can be both listed and watched"),
    ] {
        let problems = generate(&noncore(path)).unwrap_err();
        let problem = problems.iter().next().unwrap();
        assert!(problem.message().contains(message), "{path}: {problem:?}");
        assert!(problems.location(problem).unwrap().contains(".json.gz:"), "{path}");
    }
}
