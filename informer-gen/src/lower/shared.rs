//! Types that kinds share: a schema that is exactly that of a type which exists gets that type.
//!
//! Exactly means that every value which a server accepts for the schema is read into the type and written as equal JSON:
//! the same keys with the same types and formats, required or not alike, none of them nullable, no others kept. What
//! only narrows values down (patterns, bounds, rules) is no difference; an `enum` is one, since it gives a better type.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::document::node::Node;
use crate::model::RustPath;

/// Facts on k8s-openapi (`cargo xtask k8s-types`): a line for each type, with its fields. Those that begin with `-` are
/// only parts of others: several types have their form.
const TYPES: &str = include_str!("../../data/k8s-openapi/shared.tsv");

/// The condition of Kubernetes is not among them, since its time does not stay as written; the runtime has one.
const CONDITION: &str = "informer_runtime::Condition\t\
    lastTransitionTime:date-time message:string observedGeneration?:int64 reason:string status:status type:string";

/// What a condition's status is, in the schemas that say so.
const STATUS: [&str; 3] = ["True", "False", "Unknown"];

static SHARED: LazyLock<Shared> = LazyLock::new(Shared::read);

/// The type whose schema this is.
pub(super) fn of(schema: Node<'_>) -> Option<RustPath> {
    let mut names: Vec<&str> = schema.get("properties")?.entries().map(|(key, _)| key.name).collect();
    if names.len() > SHARED.most_fields {
        return None;
    }
    names.sort_unstable();
    let candidates = SHARED.by_names.get(&names)?;
    let path = candidates.iter().find(|path| SHARED.is_object(schema, path))?;
    match path.starts_with("informer_runtime::") {
        true => RustPath::new(path),
        false => RustPath::new(&format!("k8s_openapi::{path}")),
    }
}

struct Shared {
    fields: HashMap<&'static str, Vec<Field>>,
    /// The types that are no mere parts, by the names of their fields in order.
    by_names: HashMap<Vec<&'static str>, Vec<&'static str>>,
    most_fields: usize,
}

struct Field {
    name: &'static str,
    optional: bool,
    form: Form,
}

enum Form {
    Text,
    /// A text in the format of a time.
    Time,
    /// The status of a condition.
    Status,
    Boolean,
    Integer(&'static str),
    List(Box<Form>),
    Map(Box<Form>),
    Type(&'static str),
}

impl Shared {
    fn read() -> Self {
        let mut shared = Shared { fields: HashMap::new(), by_names: HashMap::new(), most_fields: 0 };
        for line in TYPES.lines().filter(|line| !line.starts_with('#')).chain([CONDITION]) {
            let Some((path, fields)) = line.split_once('\t') else { continue };
            let fields: Vec<Field> = fields.split(' ').filter_map(Field::parse).collect();
            let part = path.strip_prefix('-');
            if part.is_none() {
                let names: Vec<_> = fields.iter().map(|field| field.name).collect();
                shared.most_fields = shared.most_fields.max(names.len());
                shared.by_names.entry(names).or_default().push(path);
            }
            shared.fields.insert(part.unwrap_or(path), fields);
        }
        shared
    }

    /// Recursion follows types in types, which hold none of themselves.
    fn is_object(&self, schema: Node<'_>, path: &str) -> bool {
        let (Some(fields), Some(properties)) = (self.fields.get(path), schema.get("properties")) else { return false };
        let required = |name: &str| {
            schema.get("required").is_some_and(|list| list.items().any(|item| item.as_str() == Some(name)))
        };
        let is = |field: &Field| {
            let Some(property) = properties.get(field.name) else { return false };
            // The server puts a default where there is nothing, so the value is always there.
            let by_default = property.get("default").and_then(Node::as_str) == Some("");
            let presence = match required(field.name) {
                true => !field.optional,
                false => field.optional || by_default,
            };
            presence && !is_flagged(property, "nullable") && self.is(property, &field.form)
        };
        is_plain(schema, "object")
            && schema.get("additionalProperties").is_none()
            && properties.entries().len() == fields.len()
            && fields.iter().all(is)
    }

    fn is(&self, schema: Node<'_>, form: &Form) -> bool {
        let format = schema.get("format").and_then(Node::as_str).unwrap_or_default();
        let values = schema.get("enum");
        let inner = |schema: Option<Node<'_>>, form: &Form| {
            schema.is_some_and(|inner| inner.is_object() && !is_flagged(inner, "nullable") && self.is(inner, form))
        };
        match form {
            Form::Text => is_plain(schema, "string") && format.is_empty() && values.is_none(),
            Form::Time => is_plain(schema, "string") && format == "date-time" && values.is_none(),
            Form::Status => {
                let known = |value: Node<'_>| value.as_str().is_some_and(|text| STATUS.contains(&text));
                is_plain(schema, "string") && format.is_empty() && values.is_none_or(|list| list.items().all(known))
            }
            Form::Boolean => is_plain(schema, "boolean"),
            Form::Integer(wanted) => is_plain(schema, "integer") && format == *wanted,
            Form::List(items) => is_plain(schema, "array") && inner(schema.get("items"), items),
            Form::Map(values) => {
                is_plain(schema, "object")
                    && schema.get("properties").is_none()
                    && inner(schema.get("additionalProperties"), values)
            }
            Form::Type(path) => self.is_object(schema, path),
        }
    }
}

impl Field {
    /// From `name:form`, or `name?:form` for one that can be left out.
    fn parse(text: &'static str) -> Option<Self> {
        let (name, form) = text.split_once(':')?;
        let short = name.strip_suffix('?');
        Some(Field { name: short.unwrap_or(name), optional: short.is_some(), form: Form::parse(form)? })
    }
}

impl Form {
    fn parse(text: &'static str) -> Option<Self> {
        let inside = |open, close| text.strip_prefix(open).and_then(|rest: &str| rest.strip_suffix(close));
        Some(match text {
            "string" => Form::Text,
            "date-time" => Form::Time,
            "status" => Form::Status,
            "boolean" => Form::Boolean,
            "int32" | "int64" => Form::Integer(text),
            _ => match (inside('[', ']'), inside('{', '}')) {
                (Some(items), _) => Form::List(Box::new(Form::parse(items)?)),
                (_, Some(values)) => Form::Map(Box::new(Form::parse(values)?)),
                _ => Form::Type(text),
            },
        })
    }
}

fn is_flagged(schema: Node<'_>, key: &str) -> bool {
    schema.get(key).and_then(Node::as_bool) == Some(true)
}

/// Whether a schema is of a type, and nothing makes its values other than that.
fn is_plain(schema: Node<'_>, type_name: &str) -> bool {
    const FLAGS: [&str; 3] =
        ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-int-or-string", "x-kubernetes-embedded-resource"];
    let typed = schema.get("type").and_then(Node::as_str) == Some(type_name);
    typed && schema.get("$ref").is_none() && !FLAGS.iter().any(|flag| is_flagged(schema, flag))
}
