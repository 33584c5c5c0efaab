//! Stands where a generated version module stands, so that the template can be compiled and tried.

mod kind;
mod thin;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use informer_runtime::codegen::{self, GenericInformer, ObjectMeta, k8s_openapi};
use informer_runtime::{CancellationToken, Selector, SharedInformerFactory};
use kind::*;

use crate::canned::Canned;

/// The kind that the template is filled with here.
#[derive(Clone, Debug, Default)]
pub struct Placeholder {
    metadata: ObjectMeta,
}

codegen::object! { root Placeholder { required metadata = "metadata", } }

impl k8s_openapi::Resource for Placeholder {
    const API_VERSION: &'static str = "shop.example.test/v1";
    const GROUP: &'static str = "shop.example.test";
    const KIND: &'static str = "Placeholder";
    const VERSION: &'static str = "v1";
    const URL_PATH_SEGMENT: &'static str = "placeholders";
    type Scope = k8s_openapi::NamespaceResourceScope;
}

impl k8s_openapi::Metadata for Placeholder {
    type Ty = ObjectMeta;

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

#[tokio::test(start_paused = true)]
async fn informer_and_listers_of_a_factory() {
    let factory = SharedInformerFactory::new(Canned::default(), Duration::ZERO);
    let placeholders = PlaceholderInformer::new(&factory);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let add = seen.clone();
    let handlers =
        PlaceholderEventHandlerFuncs::new().on_add(move |object, _| add.lock().unwrap().push(object.name().to_owned()));
    placeholders.informer().add_event_handler(handlers).unwrap();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();

    let lister: PlaceholderLister = placeholders.lister();
    let names = |list: Vec<codegen::Cached<Placeholder>>| -> Vec<String> {
        list.iter().map(|object| object.name().to_owned()).collect()
    };
    assert_eq!(names(lister.list(&Selector::everything())), ["b", "a"]);
    assert_eq!(names(lister.list(&"tier=x".parse().unwrap())), ["a"]);
    let red: PlaceholderNamespaceLister = lister.placeholders("red");
    assert_eq!(names(red.list(&Selector::everything())), ["a"]);
    assert_eq!(red.get("a").unwrap().get().unwrap().metadata.name.as_deref(), Some("a"));
    assert!(red.get("b").unwrap_err().is_not_found());
    assert!(lister.list_decoded(&Selector::everything()).1.is_empty());

    let generic: Box<dyn GenericInformer> = Box::new(placeholders.clone());
    assert_eq!(generic.resource().plural(), "placeholders");
    assert_eq!(generic.lister().by_namespace("red").get("a").unwrap().name(), "a");
    assert_eq!(generic.informer().resource(), placeholders.informer().resource());
    factory.shutdown().await;
    assert_eq!(*seen.lock().unwrap(), ["b", "a"]);
}

#[tokio::test(start_paused = true)]
async fn narrower_informers_are_informers_of_their_own() {
    let server = Canned::default();
    let factory = SharedInformerFactory::new(server.clone(), Duration::ZERO);
    let _whole = PlaceholderInformer::new(&factory).informer();
    let _part =
        PlaceholderInformer::new(&factory).in_namespace("red").labels("tier=x").fields("metadata.name=a").informer();
    let _same =
        PlaceholderInformer::new(&factory).fields("metadata.name=a").labels("tier=x").in_namespace("red").informer();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    factory.shutdown().await;
    let mut lists = server.lists();
    lists.sort();
    assert_eq!(lists.len(), 2, "{lists:?}");
    assert!(
        lists[0].contains("/namespaces/red/")
            && lists[0].contains("tier%3Dx")
            && lists[0].contains("metadata.name%3Da"),
        "{lists:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_informer_by_itself() {
    let server = Canned::default();
    let stop = CancellationToken::new();
    let informers = [
        new_placeholder_informer(server.clone(), "", Duration::ZERO),
        new_filtered_placeholder_informer(server.clone(), "red", Duration::ZERO, |options| {
            options.label_selector = Some("tier=x".into());
        }),
    ];
    for informer in &informers {
        informer.start(&stop);
        informer.wait_for_cache_sync(&stop).await.unwrap();
        assert_eq!(PlaceholderLister::new(informer.indexer()).list(&Selector::everything()).len(), 2);
        informer.shutdown().await;
    }
    let lists = server.lists();
    assert!(lists[0].contains("/apis/shop.example.test/v1/placeholders?"), "{lists:?}");
    assert!(
        lists[1].contains("/v1/namespaces/red/placeholders?") && lists[1].contains("labelSelector=tier%3Dx"),
        "{lists:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_thin_template_does_the_same() {
    let server = Canned::default();
    let factory = SharedInformerFactory::new(server.clone(), Duration::ZERO);
    let placeholders = thin::PlaceholderInformer::new(&factory);
    let handlers = thin::PlaceholderEventHandlerFuncs::new().on_update(|_, _| {});
    placeholders.informer().add_event_handler(handlers).unwrap();
    factory.start(&CancellationToken::new());
    factory.wait_for_cache_sync_within(Duration::from_secs(60)).await.unwrap();
    let lister: thin::PlaceholderLister = placeholders.lister();
    let red: thin::PlaceholderNamespaceLister = lister.placeholders("red");
    assert_eq!(red.get("a").unwrap().name(), "a");
    assert_eq!(lister.list(&Selector::everything()).len(), 2);
    assert_eq!(thin::PlaceholderLister::new(placeholders.informer().indexer()).list(&Selector::everything()).len(), 2);
    factory.shutdown().await;
    let whole = thin::new_placeholder_informer(server.clone(), "", Duration::ZERO);
    let part = thin::new_filtered_placeholder_informer(server, "red", Duration::ZERO, |options| {
        options.label_selector = Some("tier=x".to_owned());
    });
    assert_eq!(whole.resource(), part.resource());
}
