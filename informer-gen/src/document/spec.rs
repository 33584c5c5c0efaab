//! OpenAPI documents: which of them is written in which form, and what a `$ref` in one stands for.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::node::{Node, Value};
use crate::model::Release;
use crate::problem::{Place, Problem};
use crate::source::Span;

/// Where a server has its documents, for hints.
const FETCH: &str = "a server has them: `kubectl get --raw /openapi/v2 > openapi.json`";

/// How a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `swagger: "2.0"`, as of `/openapi/v2`.
    Swagger2,
    /// `openapi: 3.0.x`, as of `/openapi/v3`.
    OpenApi3,
}

/// An OpenAPI document.
#[derive(Clone, Debug)]
pub(crate) struct Spec<'a> {
    pub(crate) root: Node<'a>,
    pub(crate) form: Form,
    /// The release that the document was given for.
    pub(crate) release: Option<Release>,
    definitions: HashMap<&'a str, Node<'a>>,
}

impl<'a> Spec<'a> {
    /// The document of a root; `None` for an index of documents.
    pub(crate) fn of(root: Node<'a>, release: Option<Release>) -> Result<Option<Self>, Problem> {
        if is_index(root) {
            return Ok(None);
        }
        let form = form(root)?;
        let paths = root.get("paths").filter(|paths| paths.entries().len() > 0);
        if paths.is_none() {
            let at = root.get("paths").map_or_else(|| start_of(root), Node::span);
            return Err(Problem::error("this document has types but no paths, so nothing says what can be watched")
                .at(Place::new(at).pointer("/paths"))
                .hint(FETCH));
        }
        let definitions = match form {
            Form::Swagger2 => root.get("definitions"),
            Form::OpenApi3 => root.get("components").and_then(|components| components.get("schemas")),
        };
        let definitions = definitions.into_iter().flat_map(Node::entries).map(|(key, node)| (key.name, node)).collect();
        Ok(Some(Spec { root, form, release, definitions }))
    }

    /// Paths with what they answer to, in the document's order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&'a str, Node<'a>)> + use<'a> {
        self.root.get("paths").into_iter().flat_map(Node::entries).map(|(key, node)| (key.name, node))
    }

    /// The definition (or component schema) of a name.
    pub(crate) fn definition(&self, name: &str) -> Option<Node<'a>> {
        self.definitions.get(name).copied()
    }

    /// The name of the definition that a schema refers to: `$ref`, alone or as the only part of `allOf`.
    pub(crate) fn reference(&self, schema: Node<'a>) -> Option<&'a str> {
        let schema = match schema.get("allOf") {
            Some(parts) if parts.items().len() == 1 => parts.items().next()?,
            _ => schema,
        };
        let reference = schema.get("$ref")?.as_str()?;
        let name = reference.strip_prefix(self.definitions_pointer())?.strip_prefix('/')?;
        // A name has neither `/` nor `~`, so nothing is to be unescaped.
        (!name.contains(['/', '~'])).then_some(name)
    }

    /// The JSON pointer, with `#`, below which the definitions are.
    pub(crate) fn definitions_pointer(&self) -> &'static str {
        match self.form {
            Form::Swagger2 => "#/definitions",
            Form::OpenApi3 => "#/components/schemas",
        }
    }

    /// A node itself, or what its `$ref` points to within the document; parameters use that.
    pub(crate) fn resolved(&self, node: Node<'a>) -> Option<Node<'a>> {
        let Some(reference) = node.get("$ref").and_then(Node::as_str) else { return Some(node) };
        let pointer = reference.strip_prefix("#/")?;
        pointer.split('/').try_fold(self.root, |node, step| node.get(&step.replace("~1", "/").replace("~0", "~")))
    }

    /// The document's own title, such as `Kubernetes`.
    pub(crate) fn title(&self) -> Option<&'a str> {
        self.root.get("info")?.get("title")?.as_str()
    }

    /// Where the paths begin: for problems of the document as a whole.
    pub(crate) fn place(&self) -> Place {
        let paths = self.root.get("paths").map_or_else(|| start_of(self.root), Node::span);
        Place::new(paths).pointer("/paths")
    }
}

/// Which form a root is written in, or what is wrong with it.
fn form(root: Node<'_>) -> Result<Form, Problem> {
    let text = |key: &str| root.get(key).and_then(Node::as_str);
    let wrong = |message: String| Problem::error(message).at(start_of(root));
    if !root.is_object() {
        return Err(wrong(format!("this is no OpenAPI document, but a {}", root.kind_name())).hint(FETCH));
    }
    let marked = |key: &str| Place::new(root.get(key).unwrap_or(root).span()).pointer(format!("/{key}"));
    if let Some(version) = root.get("openapi").or_else(|| root.get("swagger")) {
        let key = if root.get("openapi").is_some() { "openapi" } else { "swagger" };
        let written = match version.value() {
            Value::String(text) => text.clone(),
            // YAML without quotes.
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        };
        return match (key, written.as_str()) {
            ("swagger", "2.0") => Ok(Form::Swagger2),
            ("openapi", version) if version == "3.0" || version.starts_with("3.0.") => Ok(Form::OpenApi3),
            _ => {
                let name = if key == "swagger" { "Swagger" } else { "OpenAPI" };
                let problem = Problem::error(format!("{name} {written} is not read")).at(marked(key));
                Err(problem
                    .hint("Kubernetes writes Swagger 2.0 (/openapi/v2) and OpenAPI 3.0 (/openapi/v3); those are read"))
            }
        };
    }
    if text("kind") == Some("Status") {
        return Err(wrong("this is what a server answered instead of a document".to_owned())
            .hint("look at the file: it says why; the server may have asked who you are"));
    }
    if let (Some(kind), Some(_)) = (text("kind"), root.get("apiVersion")) {
        let problem = wrong(format!("this is a {kind} object, no OpenAPI document"));
        return Err(if kind == "CustomResourceDefinition" {
            problem.hint("CRDs are given with --crd")
        } else {
            problem
        });
    }
    if root.get("swaggerVersion").is_some() {
        return Err(Problem::error("Swagger 1 is not read").at(marked("swaggerVersion")).hint(FETCH));
    }
    if ["definitions", "$defs"].iter().any(|key| root.get(key).is_some()) {
        return Err(wrong("this is a JSON Schema: types but no paths, so nothing says what can be watched".to_owned())
            .hint(FETCH));
    }
    Err(wrong("this is no OpenAPI document: neither `swagger` nor `openapi` says which version it is".to_owned())
        .hint(FETCH))
}

/// The beginning of a value: a whole document is too much to mark.
fn start_of(node: Node<'_>) -> Span {
    node.span().start()
}

/// Whether this is the index of a server's OpenAPI 3 documents.
pub(crate) fn is_index(root: Node<'_>) -> bool {
    let marks = ["openapi", "swagger", "kind"];
    let mut paths = root.get("paths").into_iter().flat_map(Node::entries);
    !marks.iter().any(|key| root.get(key).is_some()) && paths.any(|(_, path)| path.get("serverRelativeURL").is_some())
}

/// The documents that an index names and that lie beside it, under the names of their paths: `apis/apps/v1.json`.
pub(crate) fn beside(index: Node<'_>, path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let named = index.get("paths").into_iter().flat_map(Node::entries).map(|(key, _)| key.name);
    // Nothing outside of the folder is looked at.
    let within = named.filter(|name| name.split('/').all(|part| !part.is_empty() && !part.starts_with('.')));
    let files = within.flat_map(|name| [".json", ".json.gz"].map(|end| folder.join(format!("{name}{end}"))));
    files.filter(|file| file.is_file()).collect()
}

/// An index of documents that are not there.
pub(crate) fn lonely_index(root: Node<'_>) -> Problem {
    let hint =
        "fetch them beside it, for instance with `kubectl get --raw /openapi/v3/apis/apps/v1 > apis/apps/v1.json`";
    Problem::error("this index names documents of which none lies beside it").at(start_of(root)).hint(hint)
}
