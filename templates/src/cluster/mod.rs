//! Stands where a generated version module stands, so that the template can be compiled and tried.

mod kind;

use informer_runtime::codegen::{ObjectMeta, k8s_openapi, serde};

/// The kind that the template is filled with here.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(crate = "informer_runtime::codegen::serde")]
pub struct Placeholder {
    /// Name and labels.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

impl k8s_openapi::Resource for Placeholder {
    const API_VERSION: &'static str = "shop.example.test/v1";
    const GROUP: &'static str = "shop.example.test";
    const KIND: &'static str = "Placeholder";
    const VERSION: &'static str = "v1";
    const URL_PATH_SEGMENT: &'static str = "placeholders";
    type Scope = k8s_openapi::ClusterResourceScope;
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
