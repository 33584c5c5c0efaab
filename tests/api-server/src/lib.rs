//! An in-memory Kubernetes API server for tests of informers, controllers and other clients.
//!
//! It lists, watches and writes as a real server does, in process and without sockets, so that tests run under
//! tokio's paused clock; and it can be told to fail in every way that servers and networks do.
//!
//! ```
//! use informer_runtime::Resource;
//! use informer_test_server::{End, Answer, Rule, Script, Status, TestServer};
//! use kube::api::{Api, DynamicObject, ListParams};
//! use kube::core::{ApiResource, GroupVersionKind};
//! use serde_json::json;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let widgets = Resource::new("shop.example.test", "v1", "Widget", "widgets", true);
//! let server = TestServer::new([&widgets]);
//! server.create(&widgets, json!({"metadata": {"namespace": "red", "name": "a"}}))?;
//!
//! // The second list fails, and the first watch breaks off after three events
//! server.script(
//!     Script::new()
//!         .list(2, Status::unavailable())
//!         .rule(Rule::watch().nth(1).answer(Answer::state().ending_after_events(3, End::Cut))),
//! );
//!
//! let kind = GroupVersionKind::gvk("shop.example.test", "v1", "Widget");
//! let api: Api<DynamicObject> = Api::all_with(server.client(), &ApiResource::from_gvk_with_plural(&kind, "widgets"));
//! assert_eq!(api.list(&ListParams::default()).await?.items.len(), 1);
//! assert!(api.list(&ListParams::default()).await.is_err());
//! assert_eq!(server.lists().len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! | what | where |
//! |---|---|
//! | the server, its objects, controls and records | [`TestServer`], set up by [`Builder`] |
//! | what is served and in which layout | [`Served`], [`Layout`] |
//! | scripted answers and faults | [`Script`] of [`Rule`]s; [`Answer`], [`Listing`], [`Events`], [`Status`] |
//! | steering an answer from the test | [`LiveEvents`], [`Gate`] |
//! | requests seen | [`RequestRecord`] |
//! | a socket | [`TestServer::listen`], [`Loopback`] |
//!
//! All is deterministic: uids are counted, times start at a fixed moment and move with tokio's clock, versions count
//! the changes of all resources.
//!
//! # Limits
//!
//! Objects are kept as JSON, once for each version that the history remembers. A watch that is not read queues what it
//! has to send; a request body may have 3 MiB.
//!
//! # What it leaves out
//!
//! Admission, validation by schema, access control, conversion between versions (each version is a resource of its
//! own), server-side apply, JSON and strategic merge patches, compression, tables, protobuf and CBOR.

// From here on, a file uses only files declared above it.
mod status;

mod query;
mod registry;
mod route;

mod head;
mod render;
mod selection;
mod store;

mod list;
mod object;
mod write;

mod body;
mod watch;

mod events;
mod live;

mod answer;
mod recorder;
mod script;

mod state;

mod server;

mod definitions;

mod reply;
mod streams;

mod discovery;
mod handle;
mod play;

mod service;

mod loopback;

pub use answer::{Answer, Listing};
pub use body::{End, ResponseBody};
pub use events::Events;
pub use live::{Gate, LiveEvents};
pub use loopback::{Loopback, REAL_PIECE};
pub use object::stub;
pub use query::Query;
pub use recorder::{RequestKind, RequestRecord};
pub use registry::{Layout, Served};
pub use script::{Nth, Rule, Script};
pub use server::{Builder, TestServer, namespace_and_name};
pub use status::Status;
