//! `spec.conversion`: whether objects are turned from version to version, and by whom.

use std::collections::BTreeSet;

use super::keyword::{Wanted, check as check_types, present, text};
use super::trail::{At, Step, Teller};
use crate::document::node::Node;
use crate::lower::dns;

const CONVERSION: &[(&str, Wanted)] = &[("strategy", Wanted::Text), ("webhook", Wanted::Object)];

const WEBHOOK: &[(&str, Wanted)] = &[("clientConfig", Wanted::Object), ("conversionReviewVersions", Wanted::Texts)];

const CLIENT: &[(&str, Wanted)] = &[("url", Wanted::Text), ("service", Wanted::Object), ("caBundle", Wanted::Bytes)];

const SERVICE: &[(&str, Wanted)] =
    &[("namespace", Wanted::Text), ("name", Wanted::Text), ("path", Wanted::Text), ("port", Wanted::Short)];

/// Checks how versions are converted.
pub(super) fn check<'a>(spec: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let Some(conversion) = present(spec, "conversion") else { return };
    let at = teller.key(at, "conversion");
    if !conversion.is_object() {
        let message = format!("spec.conversion must be an object, but is a {}", conversion.kind_name());
        teller.error(conversion.span(), at, message, "");
        return;
    }
    let webhook = present(conversion, "webhook");
    let at_webhook = teller.key(at, "webhook");
    let mut good = check_types(CONVERSION, conversion, at, teller);
    if let Some(webhook) = webhook.filter(|_| good) {
        good = check_types(WEBHOOK, webhook, at_webhook, teller);
    }
    if !good {
        return;
    }
    let config = webhook.and_then(|webhook| present(webhook, "clientConfig"));
    let reviewed = webhook.and_then(|webhook| webhook.get("conversionReviewVersions"));
    let reviewed = reviewed.filter(|list| list.items().len() > 0);
    let at_config = teller.key(at_webhook, "clientConfig");
    let at_reviewed = teller.key(at_webhook, "conversionReviewVersions");
    if let Some(config) = config {
        client(config, at_config, teller);
    }
    match text(conversion, "strategy") {
        Some("Webhook") => {
            let place = webhook.unwrap_or(conversion).span().start();
            if config.is_none() {
                teller.error(place, at_config, "conversion by webhook needs `webhook.clientConfig`", "");
            }
            match reviewed {
                Some(list) => review_versions(list, at_reviewed, teller),
                None => {
                    let message = "conversion by webhook needs `webhook.conversionReviewVersions`";
                    teller.error(place, at_reviewed, message, "`[v1]` will do");
                }
            }
        }
        Some("None") => {
            for (node, at) in [(config, at_config), (reviewed, at_reviewed)] {
                let Some(node) = node else { continue };
                teller.error(node.span().start(), at, "`webhook` needs `strategy: Webhook`", "");
            }
        }
        other => {
            let at = teller.key(at, "strategy");
            let place = present(conversion, "strategy").map_or(conversion.span().start(), Node::span);
            let message = match other {
                Some(other) => format!("spec.conversion.strategy is {other:?}"),
                None => "spec.conversion.strategy is missing".to_owned(),
            };
            teller.error(place, at, message, "it must be `None` or `Webhook`");
        }
    }
}

/// Where the webhook is.
fn client<'a>(config: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let at_service = teller.key(at, "service");
    let mut good = check_types(CLIENT, config, at, teller);
    if let Some(service) = present(config, "service").filter(|_| good) {
        good = check_types(SERVICE, service, at_service, teller);
    }
    if !good {
        return;
    }
    match (present(config, "url"), present(config, "service")) {
        (Some(url), None) => {
            if let Some(wrong) = url.as_str().and_then(wrong_url) {
                let at = teller.key(at, "url");
                teller.error(
                    url.span(),
                    at,
                    format!("this is no address of a webhook: {wrong}"),
                    "`https://host/path`",
                );
            }
        }
        (None, Some(node)) => service(node, at_service, teller),
        (url, _) => {
            let message = match url {
                Some(_) => "a webhook has a `url` or a `service`, not both",
                None => "a webhook needs a `url` or a `service`",
            };
            teller.error(config.span().start(), at, message, "");
        }
    }
}

fn service<'a>(service: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    for key in ["name", "namespace"].into_iter().filter(|key| text(service, key).is_none()) {
        teller.error(service.span().start(), at, format!("the service of a webhook needs its `{key}`"), "");
    }
    if let Some(port) = present(service, "port")
        && !matches!(port.value(), crate::document::node::Value::Number(number) if number.as_i64().is_some_and(is_port))
    {
        let at = teller.key(at, "port");
        teller.error(port.span(), at, "a port is a number from 1 to 65535", "443 if it is left out");
    }
    if let Some(node) = present(service, "path")
        && let Some(wrong) = node.as_str().and_then(wrong_path)
    {
        let at = teller.key(at, "path");
        teller.error(node.span(), at, format!("this is no path of a webhook: {wrong}"), "");
    }
}

fn is_port(port: i64) -> bool {
    (1..=65535).contains(&port)
}

fn wrong_path(path: &str) -> Option<String> {
    if path.is_empty() || path == "/" {
        return None;
    }
    let Some(rest) = path.strip_prefix('/') else { return Some("it must begin with `/`".to_owned()) };
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let wrong = rest.split('/').find(|part| !dns::is_subdomain(part))?;
    Some(match wrong {
        "" => "one of its parts is empty".to_owned(),
        wrong => format!("{wrong:?} is not of lower-case letters, digits, `-` and `.`"),
    })
}

fn wrong_url(url: &str) -> Option<&'static str> {
    if url.chars().any(|c| c.is_ascii_control()) {
        return Some("it has control characters");
    }
    let (url, fragment) = url.split_once('#').unwrap_or((url, ""));
    let Some((_, rest)) = url.split_once("://").filter(|(scheme, _)| scheme.eq_ignore_ascii_case("https")) else {
        return Some("it must begin with `https://`");
    };
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let authority = rest.split('/').next().unwrap_or_default();
    match () {
        () if authority.is_empty() => Some("it has no host"),
        () if authority.contains('@') => Some("it names a user"),
        () if authority.contains([' ', '"', '<', '>', '\\', '^', '`', '{', '|', '}']) => {
            Some("no host has such a name")
        }
        () if !has_good_port(authority) => Some("its port is no number"),
        () if !query.is_empty() => Some("it has a query"),
        () if !fragment.is_empty() => Some("it has a fragment"),
        () => None,
    }
}

fn has_good_port(authority: &str) -> bool {
    let after_host = authority.rsplit_once(']').map_or(authority, |(_, after)| after);
    let port = after_host.split_once(':').map_or("", |(_, port)| port);
    port.chars().all(|c| c.is_ascii_digit())
}

fn review_versions<'a>(list: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let mut seen = BTreeSet::new();
    for (number, item) in list.items().enumerate() {
        let name = item.as_str().unwrap_or_default();
        let message = match () {
            () if seen.contains(name) => format!("{name} is there twice"),
            () if !dns::is_label(name) => {
                format!("{name:?} is no version: lower-case letters, digits and `-`, a letter first")
            }
            () => String::new(),
        };
        if !message.is_empty() {
            let at = teller.down(at, Step::Item(number));
            teller.error(item.span(), at, message, "");
        }
        seen.insert(name);
    }
    if !seen.contains("v1") && !seen.contains("v1beta1") {
        let message = "the server speaks of conversions in v1 and v1beta1, and neither is here";
        teller.error(list.span().start(), at, message, "add `v1`");
    }
}
