//! OpenAPI documents in, models, reports and crates out. Documents are small ones of our own, each in both forms.

mod document;

mod added;
mod definitions;
mod derives;
mod errors;
mod forms;
mod kinds;
mod releases;
mod types;
mod built_in;
