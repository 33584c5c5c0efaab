//! A folder in which the command runs, and what it says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A CRD.
pub(crate) const WIDGET: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.shop.example.test
spec:
  group: shop.example.test
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: string, description: How large it is.}
";

/// Another CRD.
pub(crate) fn zone() -> String {
    let zone = WIDGET.replace("widget", "zone").replace("Widget", "Zone");
    zone.replace("scope: Namespaced", "scope: Cluster")
}

/// A folder with CRDs in `crds`, and what running the command in it says.
pub(crate) struct Case {
    /// Where the command runs.
    pub(crate) folder: TempDir,
}

impl Case {
    /// With these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let case = Case { folder: TempDir::new().unwrap() };
        for (path, contents) in files {
            case.put(path, contents);
        }
        case
    }

    /// Writes a file.
    pub(crate) fn put(&self, path: &str, contents: impl AsRef<[u8]>) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    /// The command with these arguments, apart by spaces.
    pub(crate) fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_informer-gen"));
        command.args(args.split_whitespace()).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// Exit code, standard output, standard error.
    pub(crate) fn run(&self, args: &str) -> (i32, String, String) {
        said(self.command(args).output().unwrap())
    }

    /// The usual command with more arguments.
    pub(crate) fn generate(&self, more: &str) -> (i32, String, String) {
        self.run(&format!("--crd crds --crate shop-informers --out out {more}"))
    }

    /// All files of the output folder with their contents.
    pub(crate) fn out(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let out = self.folder.path().join("out");
        collect(&out, &out, &mut files);
        files
    }
}

/// Exit code, standard output, standard error.
pub(crate) fn said(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            files.insert(name, fs::read_to_string(path).unwrap());
        }
    }
}
