//! The requests, as values: what client-go's reflector asks (`tools/cache/reflector.go`), parameter by parameter.

use std::time::Duration;

use http::header::{ACCEPT, ACCEPT_ENCODING};
use http::{HeaderValue, Request};

use crate::error::{Error, Kind};
use crate::form::Form;
use crate::options::ListOptions;
use crate::resource::Resource;

/// What is listed and watched.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Target {
    pub(crate) resource: Resource,
    /// `None`: all namespaces.
    pub(crate) namespace: Option<String>,
    pub(crate) options: ListOptions,
    pub(crate) form: Form,
}

/// One page of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ListQuery {
    pub(crate) resource_version: String,
    pub(crate) limit: Option<u32>,
    pub(crate) continue_token: String,
    /// Whether the version is the oldest that will do; else a limit may make it the only one.
    pub(crate) not_older_than: bool,
}

/// A watch, or with `initial_events` a streaming list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WatchQuery {
    pub(crate) resource_version: String,
    pub(crate) timeout: Duration,
    pub(crate) initial_events: bool,
}

impl Target {
    pub(crate) fn list(&self, query: &ListQuery) -> Result<Request<()>, Error> {
        let mut parameters = Parameters::default();
        parameters.text("continue", &query.continue_token);
        parameters.selectors(&self.options);
        if let Some(limit) = query.limit {
            parameters.text("limit", &limit.to_string());
        }
        parameters.text("resourceVersion", &query.resource_version);
        if query.not_older_than {
            parameters.text("resourceVersionMatch", "NotOlderThan");
        }
        self.request(parameters, self.form.accept_list())
    }

    pub(crate) fn watch(&self, query: &WatchQuery) -> Result<Request<()>, Error> {
        let mut parameters = Parameters::default();
        parameters.text("allowWatchBookmarks", "true");
        parameters.selectors(&self.options);
        parameters.text("resourceVersion", &query.resource_version);
        if query.initial_events {
            parameters.text("resourceVersionMatch", "NotOlderThan");
            parameters.text("sendInitialEvents", "true");
        }
        parameters.text("timeoutSeconds", &query.timeout.as_secs().max(1).to_string());
        parameters.text("watch", "true");
        self.request(parameters, self.form.accept_watch())
    }

    fn request(&self, parameters: Parameters, accept: &'static str) -> Result<Request<()>, Error> {
        let path = self.resource.path(self.namespace.as_deref());
        Request::get(format!("{path}?{}", parameters.query))
            .header(ACCEPT, HeaderValue::from_static(accept))
            // A watch in gzip is a row of gzip members, and nobody's decoder reads more than the first.
            .header(ACCEPT_ENCODING, HeaderValue::from_static("identity"))
            .body(())
            .map_err(|_| {
                // Only a namespace or a group can spoil a URL: the rest is encoded.
                Kind::InvalidPath(path).into()
            })
    }
}

#[derive(Default)]
struct Parameters {
    query: String,
}

impl Parameters {
    fn selectors(&mut self, options: &ListOptions) {
        self.text("fieldSelector", options.field_selector.as_deref().unwrap_or_default());
        self.text("labelSelector", options.label_selector.as_deref().unwrap_or_default());
    }

    /// Adds a parameter that has a value.
    fn text(&mut self, name: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        if !self.query.is_empty() {
            self.query.push('&');
        }
        self.query.push_str(name);
        self.query.push('=');
        self.query.extend(form_urlencoded::byte_serialize(value.as_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target() -> Target {
        Target {
            resource: Resource::new("shop.example.test", "v1", "Widget", "widgets", true),
            namespace: Some(String::from("red")),
            options: ListOptions { label_selector: Some(String::from("a in (b,c)")), field_selector: None },
            form: Form::Full,
        }
    }

    #[test]
    fn requests_have_what_client_go_sends() {
        let list = target()
            .list(&ListQuery { resource_version: String::from("0"), limit: Some(500), ..ListQuery::default() })
            .unwrap();
        assert_eq!(
            list.uri(),
            "/apis/shop.example.test/v1/namespaces/red/widgets?labelSelector=a+in+%28b%2Cc%29&limit=500&resourceVersion=0"
        );
        let watch = Target { namespace: None, options: ListOptions::default(), ..target() }
            .watch(&WatchQuery {
                resource_version: String::from("7"),
                timeout: Duration::from_secs(300),
                initial_events: true,
            })
            .unwrap();
        assert_eq!(
            watch.uri(),
            "/apis/shop.example.test/v1/widgets?allowWatchBookmarks=true&resourceVersion=7&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeoutSeconds=300&watch=true"
        );
        assert_eq!(watch.headers()[ACCEPT_ENCODING], "identity");
    }

    #[test]
    fn a_namespace_that_is_none_is_an_error() {
        let odd = Target { namespace: Some(String::from("a b\u{7f}")), ..target() };
        assert!(odd.list(&ListQuery::default()).is_err());
    }
}
