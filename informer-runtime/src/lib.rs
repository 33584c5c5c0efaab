//! Shared informers for Kubernetes: a local, always current copy of a server's objects, and calls on every change.
//!
//! ```text
//! wire bytes → reflector → delta queue → store → processor → handlers
//!                                          └→ listers, indexes
//! ```
//!
//! The core is untyped and holds bytes: a small head of each object (key, uid, version, labels) and its JSON as
//! received. Types come in at the edges, which decode on demand and share the result: see [`Cached`].
//!
//! Begin with a [`SharedInformerFactory`], usually that of a generated crate:
//!
//! ```no_run
//! use informer_runtime::{CancellationToken, Selector, SharedInformerFactory};
//! use k8s_openapi::api::core::v1::Pod;
//! use std::time::Duration;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let client = informer_runtime::client(kube::Config::infer().await?)?;
//! let factory = SharedInformerFactory::new(client, Duration::ZERO);
//! let pods = factory.informer_for::<Pod>();
//! pods.add_event_handler(pods.handler().on_add(|pod, _is_initial| println!("add: {}", pod.name())))?;
//! let stop = CancellationToken::new();
//! factory.start(&stop);
//! factory.wait_for_cache_sync(&stop).await?;
//! for pod in pods.lister().by_namespace("default").list(&Selector::everything()) {
//!     println!("list: {}", pod.name());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The modules below stand in the order in which they use each other.

mod resource;
mod key;
mod version;
mod selector;
mod transport;
mod error;
mod json;
mod head;
mod form;
mod transform;
mod kept;
mod decoded;
mod entry;
mod cached;
mod backoff;
mod options;
mod wire;
mod stats;
mod reports;
mod delta;
mod delta_queue;
mod reflector;
mod store;
mod handler;
mod processor;
mod plan;
#[cfg(feature = "metrics")]
mod publish;
mod informer;
mod events;
mod projections;
mod lister;
mod sync;
mod shared_informer;
mod informer_builder;
mod wait;
mod generic;
mod factory;
mod workqueue;
mod client;
#[cfg(feature = "kube-runtime")]
pub mod kube_bridge;
pub mod codegen;

pub use backoff::BackoffPolicy;
pub use cached::Cached;
pub use client::{ClientError, client};
pub use codegen::Condition;
pub use decoded::DecodeStats;
pub use error::{DecodeError, Error};
pub use events::Events;
pub use factory::{InformerAccess, ResourceInformer, SharedInformerFactory, SharedInformerFactoryBuilder};
pub use generic::{GenericInformer, GenericLister, GenericNamespaceLister};
pub use handler::{Deleted, Delivery, Event, EventHandler, EventHandlerFuncs, FilteringEventHandler, HandlerOptions};
pub use head::{Labels, Uid};
pub use informer_builder::SharedInformerBuilder;
pub use key::{InvalidKey, ObjectKey};
pub use kube::core::{DynamicObject, PartialObjectMeta};
pub use lister::{Indexer, Lister, NamespaceLister, Store};
pub use options::{ListOptions, ReflectorOptions};
pub use processor::Registration;
pub use projections::{Projected, Projections};
pub use reports::ErrorHook;
pub use resource::{GroupVersionResource, Object, Resource, Scope};
pub use selector::{ParseSelectorError, Selector};
pub use shared_informer::{Controller, SharedInformer};
pub use stats::InformerStats;
pub use store::IndexFunc;
pub use sync::SyncResult;
pub use tokio_util::sync::CancellationToken;
pub use transform::Transform;
pub use transport::{Transport, TransportError, TransportResponse};
pub use wait::{wait_for_cache_sync, wait_for_cache_sync_within};
pub use workqueue::{
    BucketRateLimiter, DelayingQueue, ItemExponentialFailureRateLimiter, ItemFastSlowRateLimiter, MaxOfRateLimiter,
    RateLimiter, RateLimitingQueue, WithMaxWaitRateLimiter, WorkItem, WorkQueue, default_controller_rate_limiter,
    default_item_based_rate_limiter,
};
