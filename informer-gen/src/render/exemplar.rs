//! Fills a template: one pass over its text, longest spelling first, never looking again at what was put in.

use informer_templates::{CLUSTER, CLUSTER_THIN, NAMESPACED, NAMESPACED_THIN};

use crate::model::{Kind, Objects};
use crate::names::KindNames;

/// The file with informer and listers of a kind.
pub(super) fn informer(kind: &Kind, names: &KindNames) -> String {
    let template = match (&kind.objects, kind.namespaced) {
        (Objects::Generated(_) | Objects::Served(_), true) => NAMESPACED,
        (Objects::Generated(_) | Objects::Served(_), false) => CLUSTER,
        (Objects::Known(_), true) => NAMESPACED_THIN,
        (Objects::Known(_), false) => CLUSTER_THIN,
    };
    fill(template, &names.type_name, &names.snake, &names.accessor)
}

fn fill(template: &str, type_name: &str, snake: &str, accessor: &str) -> String {
    let spellings = [("placeholders", accessor), ("Placeholder", type_name), ("placeholder", snake)];
    let mut filled = String::with_capacity(template.len() + template.len() / 4);
    let mut rest = template;
    while let Some(at) = rest.find(['P', 'p']) {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        let found = spellings.iter().find(|(spelling, _)| rest.starts_with(spelling));
        let (length, name) = found.map_or((1, &rest[..1]), |(spelling, name)| (spelling.len(), *name));
        filled.push_str(name);
        rest = &rest[length..];
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_and_the_result_parses() {
        for template in [NAMESPACED, CLUSTER, NAMESPACED_THIN, CLUSTER_THIN] {
            let filled = fill(template, "Widget", "widget", "widgets");
            assert!(!filled.to_lowercase().contains("placeholder"));
            assert!(filled.contains("new_filtered_widget_informer"));
            assert!(syn::parse_file(&filled).is_ok());
            assert!(filled.lines().count() < 80);
        }
    }

    #[test]
    fn one_pass_only() {
        assert_eq!(
            fill("Placeholder placeholders p", "placeholders", "x", "Placeholder"),
            "placeholders Placeholder p"
        );
        let kept = fill(NAMESPACED, "Placeholder", "placeholder", "placeholders");
        assert_eq!(kept, NAMESPACED);
    }
}
