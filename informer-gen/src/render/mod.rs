//! Model and names to the files of a crate: no disk, no environment, no clock.

// Types.
mod doc_comment;
mod gate;
mod known;
mod ways;
mod value_type;
mod types;
mod root;
mod served;
mod definitions;
mod inside;
// Informers.
mod exemplar;
mod version;
mod group;
// The crate around them.
mod build_script;
mod library;
mod manifest;

use crate::code::Code;
use crate::extras::{Extras, Spot};
use crate::header::Header;
use crate::layout;
use crate::model::{Api, Objects};
use crate::names::Names;
use crate::problem::{Problem, Problems};
use crate::request::Request;
use crate::tree::Tree;
use gate::Gates;
use value_type::Local;

pub(crate) use inside::Inside;

/// All files of a crate. Only a mistake of the generator makes it fail.
pub(crate) fn krate(api: &Api, names: &Names, extras: &Extras, request: &Request) -> Result<Tree, Problems> {
    let mut files = Files { header: Header::new(request), tree: Tree::new(), problems: Problems::new() };
    files.text("Cargo.toml", files.header.toml() + &manifest::cargo_toml(request, api, names));
    if !request.is_workspace_member() {
        files.text(".cargo/config.toml", files.header.toml() + &manifest::cargo_config());
    }
    if !api.releases.is_empty() {
        files.template("build.rs", &build_script::file(&api.releases));
    }
    let gates = Gates { all: &api.releases, features: request.group_features };
    files.rust("src/lib.rs", &library::file(api, names, gates, extras));
    let all_names = names;
    let style = types::Style { docs: request.docs };
    for (group, group_names) in api.groups.iter().zip(&names.groups) {
        let folder = format!("src/{}", group_names.module);
        files.rust(&format!("{folder}/mod.rs"), &group::file(group, group_names, gates));
        for (version, version_names) in group.versions.iter().zip(&group_names.versions) {
            let folder = format!("{folder}/{}", version_names.module);
            files.rust(&format!("{folder}/mod.rs"), &version::file(&group.name, version, version_names, gates));
            let at = [group_names.module.as_str(), &version_names.module];
            let local = Local::of(all_names, &at, std::iter::empty());
            for (kind, names) in version.kinds.iter().zip(&version_names.kinds) {
                let path = format!("{folder}/{}.rs", names.module);
                let types = match &kind.objects {
                    Objects::Generated(object) => {
                        let spot = Spot::kind(extras, api, kind);
                        Some(root::file(kind, object, names, &local, &spot, style))
                    }
                    Objects::Served(definition) => Some(served::kind(kind, definition, names, &local, all_names)),
                    Objects::Known(_) => None,
                };
                if let Some(types) = types {
                    files.rust(&path, &types);
                }
                files.template(&format!("{folder}/{}.rs", names.informer_module), &exemplar::informer(kind, names));
            }
        }
    }
    for (path, text) in definitions::files(api, names, gates, extras, style) {
        files.rust(&format!("src/{path}"), &text);
    }
    if files.problems.has_errors() { Err(files.problems) } else { Ok(files.tree) }
}

struct Files {
    header: Header,
    tree: Tree,
    problems: Problems,
}

impl Files {
    fn rust(&mut self, path: &str, code: &Code) {
        self.text(path, self.header.rust() + &layout::text(code));
    }

    fn template(&mut self, path: &str, text: &str) {
        self.text(path, self.header.rust() + text);
    }

    fn text(&mut self, path: &str, text: String) {
        if self.tree.insert(path, text).is_some() {
            self.problems.push(Problem::internal(format!("{path} is made twice")));
        }
    }
}
