//! Small things at the edge, each put into a small CRD at one of a few places: what a server of Kubernetes 1.37 said, and
//! what is said here. `tests/data/judged.tsv`: the place, what is put there, the server's answer, ours.
//!
//! What the server takes must be taken. What it refuses may be left to it where that takes more than looking.

use std::fs;
use std::path::Path;

use informer_gen::{Input, Request, report};

const CRD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.shop.example.test
  # metadata
spec:
  group: shop.example.test
  scope: Namespaced
  names:
    kind: Widget
    plural: widgets
  # spec
  versions:
    - name: v1
      served: true
      storage: true
      # version
      schema:
        openAPIV3Schema:
          type: object
          # root
          properties:
            # root property
            spec:
              type: object
              # parent
              properties:
                count:
                  type: integer
                size:
                  # property
";

fn is_taken(place: &str, text: &str) -> bool {
    // Without a schema of its own, the property is a text.
    let crd = CRD.replace(&format!("# {place}\n"), &format!("{text}\n")).replace("# property\n", "type: string\n");
    report(&Request::new("x", "x").input(Input::Text { name: "crd.yaml".into(), text: crd })).is_ok()
}

#[test]
fn edges_are_judged_as_a_server_does() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/judged.tsv");
    let rows = fs::read_to_string(table).unwrap();
    let (mut wrong, mut left) = (Vec::new(), 0);
    for row in rows.lines().skip(1) {
        let [place, text, server, ours] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let said = if is_taken(place, text) { "taken" } else { "refused" };
        if said != ours || (server, ours) == ("taken", "refused") {
            wrong.push(format!("{row}: {said}"));
        }
        left += usize::from((server, ours) == ("refused", "taken"));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let count = rows.lines().count() - 1;
    assert!(count >= 150 && left <= 10, "{left} of {count} are left to the server");
}
