//! A resource of a factory, perhaps narrowed.

use std::fmt;
use std::marker::PhantomData;

use kube::core::PartialObjectMeta;

use super::SharedInformerFactory;
use crate::error::Error;
use crate::form::Form;
use crate::informer_builder::SharedInformerBuilder;
use crate::lister::Lister;
use crate::options::ListOptions;
use crate::resource::{Object, Resource};
use crate::shared_informer::SharedInformer;

/// What of a resource an accessor asks for, beside the factory's own choices.
#[derive(Debug, Clone, Default)]
pub(crate) struct InformerScope {
    pub(crate) namespace: Option<String>,
    pub(crate) labels: Option<String>,
    pub(crate) fields: Option<String>,
    pub(crate) form: Form,
}

impl InformerScope {
    pub(super) fn narrow(&self, options: &mut ListOptions) {
        join(&mut options.label_selector, self.labels.as_deref());
        join(&mut options.field_selector, self.fields.as_deref());
    }
}

/// Both selectors must hold.
fn join(selector: &mut Option<String>, more: Option<&str>) {
    match (selector.as_mut().filter(|text| !text.is_empty()), more.filter(|text| !text.is_empty())) {
        (Some(text), Some(more)) => {
            text.push(',');
            text.push_str(more);
        }
        (None, more) => *selector = more.map(str::to_owned),
        (Some(_), None) => {}
    }
}

/// What a generated accessor is: a resource of a factory, perhaps narrowed. Nothing is watched before
/// [`informer`](Self::informer) or [`lister`](Self::lister) is called.
pub struct InformerAccess<K> {
    factory: SharedInformerFactory,
    resource: Resource,
    scope: InformerScope,
    kind: PhantomData<fn() -> K>,
}

impl<K: Object> InformerAccess<K> {
    /// The access to a type's resource.
    #[must_use]
    pub fn new(factory: &SharedInformerFactory) -> Self {
        Self::of_resource(factory, Resource::of::<K>(), Form::Full)
    }
}

impl<K> InformerAccess<K> {
    pub(super) fn of_resource(factory: &SharedInformerFactory, resource: Resource, form: Form) -> Self {
        let scope = InformerScope { form, ..InformerScope::default() };
        Self { factory: factory.clone(), resource, scope, kind: PhantomData }
    }

    /// Only this namespace, whatever the factory's is; `""` for all.
    #[must_use]
    pub fn in_namespace(mut self, namespace: impl Into<String>) -> Self {
        self.scope.namespace = Some(namespace.into());
        self
    }

    /// Only objects with these labels, and with those that the factory's tweak asks for.
    #[must_use]
    pub fn labels(mut self, selector: impl ToString) -> Self {
        join(&mut self.scope.labels, Some(&selector.to_string()));
        self
    }

    /// Only objects with these fields, in the API server's notation.
    #[must_use]
    pub fn fields(mut self, selector: impl ToString) -> Self {
        join(&mut self.scope.fields, Some(&selector.to_string()));
        self
    }

    /// The same objects' metadata alone: [`SharedInformerFactory::metadata`] in this scope.
    #[must_use]
    pub fn metadata(&self) -> InformerAccess<PartialObjectMeta> {
        let scope = InformerScope { form: Form::Metadata, ..self.scope.clone() };
        InformerAccess { factory: self.factory.clone(), resource: self.resource.clone(), scope, kind: PhantomData }
    }

    /// What is listed and watched.
    #[must_use]
    pub fn resource(&self) -> &Resource {
        &self.resource
    }

    /// The informer.
    #[must_use]
    pub fn informer(&self) -> SharedInformer<K> {
        self.factory.informer_in(&self.resource, &self.scope)
    }

    /// The informer, made by `new` from a builder that has the factory's choices and this scope:
    /// [`informer_for_with`](SharedInformerFactory::informer_for_with) for any resource.
    ///
    /// # Errors
    /// If there is one for what the result watches, and it was made with other choices.
    pub fn informer_with(
        &self,
        new: impl FnOnce(SharedInformerBuilder<K>) -> SharedInformerBuilder<K>,
    ) -> Result<SharedInformer<K>, Error> {
        self.factory.share(new(self.factory.prepare(&self.resource, &self.scope)))
    }

    /// A lister of the informer's cache.
    #[must_use]
    pub fn lister(&self) -> Lister<K> {
        self.informer().lister()
    }
}

impl<K> Clone for InformerAccess<K> {
    fn clone(&self) -> Self {
        Self {
            factory: self.factory.clone(),
            resource: self.resource.clone(),
            scope: self.scope.clone(),
            kind: PhantomData,
        }
    }
}

impl<K> fmt::Debug for InformerAccess<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InformerAccess").field("resource", &self.resource).field("scope", &self.scope).finish()
    }
}
