//! Which types k8s-openapi has, and for which Kubernetes releases: facts from its sources (`cargo xtask k8s-types`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::model::{Api, Release, RustPath};

/// A line for each type: its path below the crate, a tab, and its releases 1.N as numbers and stretches of them.
const TYPES: &str = include_str!("../data/k8s-openapi/types.tsv");

static BY_PATH: LazyLock<BTreeMap<&str, BTreeSet<Release>>> = LazyLock::new(|| {
    let lines = TYPES.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('\t')).map(|(path, releases)| (path, parse(releases))).collect()
});

static ALL: LazyLock<BTreeSet<Release>> = LazyLock::new(|| BY_PATH.values().flatten().copied().collect());

fn parse(releases: &str) -> BTreeSet<Release> {
    let stretches = releases.split(',').filter_map(|stretch| {
        let (first, last) = stretch.split_once('-').unwrap_or((stretch, stretch));
        Some(first.parse().ok()?..=last.parse().ok()?)
    });
    stretches.flatten().map(Release::new).collect()
}

/// All releases that k8s-openapi has types for.
pub(crate) fn releases() -> &'static BTreeSet<Release> {
    &ALL
}

/// The releases that have a type, `None` where that is not a question: for types of other crates.
pub(crate) fn releases_of(path: &RustPath) -> Option<&'static BTreeSet<Release>> {
    static NONE: BTreeSet<Release> = BTreeSet::new();
    let below = path.to_string();
    Some(BY_PATH.get(below.strip_prefix("k8s_openapi::")?).unwrap_or(&NONE))
}

/// The releases that have a type, if they are not all.
pub(crate) fn partly(path: &RustPath) -> Option<&'static BTreeSet<Release>> {
    releases_of(path).filter(|releases| *releases != &*ALL)
}

/// Whether a type exists for a release; without one, for the latest. One that nobody knows is taken for the nearest.
pub(crate) fn exists(path: &RustPath, release: Option<Release>) -> bool {
    let (first, last) = (ALL.first(), ALL.last());
    let asked = match release {
        Some(release) if Some(&release) < first => first.copied(),
        Some(release) if Some(&release) <= last => Some(release),
        _ => last.copied(),
    };
    releases_of(path).is_none_or(|releases| asked.is_some_and(|asked| releases.contains(&asked)))
}

/// For each release that a crate can't be compiled for, since its code names types that k8s-openapi lacks there: these.
pub(crate) fn missing(api: &Api) -> BTreeMap<Release, BTreeSet<&RustPath>> {
    let mut missing: BTreeMap<Release, BTreeSet<&RustPath>> = BTreeMap::new();
    let kinds = api.kinds().map(|kind| (kind.known_types(), &kind.releases));
    let definitions = api.definitions.values().map(|of| (of.shape.known_types(), &of.users.releases));
    let served = api.served.values().map(|of| (of.object.known_types(), &of.users.releases));
    for (types, releases) in kinds.chain(definitions).chain(served) {
        for path in types {
            let Some(has) = releases_of(path) else { continue };
            for release in ALL.iter().filter(|release| !has.contains(release) && is_in(releases, **release, api)) {
                missing.entry(*release).or_default().insert(path);
            }
        }
    }
    missing
}

/// Whether the code for some releases is there for one: as for the last one before it that the input tells apart.
fn is_in(releases: &BTreeSet<Release>, release: Release, api: &Api) -> bool {
    match api.releases.range(..=release).next_back() {
        Some(like) => releases.contains(like),
        None => api.releases.is_empty(), // else refused anyway
    }
}

/// What a crate says of the releases it can't be compiled for; `None` if there are none.
pub(crate) fn needs(api: &Api) -> Option<String> {
    let missing = missing(api);
    let types: BTreeSet<&RustPath> = missing.values().flatten().copied().collect();
    let first = types.first()?;
    let more = if types.len() > 1 { format!(" and {} more", types.len() - 1) } else { String::new() };
    let fits: BTreeSet<Release> = ALL.iter().filter(|release| !missing.contains_key(release)).copied().collect();
    let fits: BTreeSet<Release> = match api.releases.first() {
        Some(first) => fits.range(first..).copied().collect(),
        None => fits,
    };
    if fits.is_empty() {
        return Some(format!("no Kubernetes release has all types of this crate ({first}{more}): make several crates"));
    }
    let features: Vec<String> = fits.iter().map(|release| format!("v1_{}", release.minor())).collect();
    Some(format!(
        "this crate is for Kubernetes {}, since k8s-openapi lacks types of it for other releases ({first}{more}): \
         choose the release by the feature {}",
        words(&fits),
        features.join(" or ")
    ))
}

/// `1.35 to 1.37`.
pub(crate) fn words(releases: &BTreeSet<Release>) -> String {
    let (Some(first), Some(last)) = (releases.first(), releases.last()) else { return "no release".to_owned() };
    if releases.len() > 2 && usize::from(last.minor() - first.minor()) + 1 == releases.len() {
        return format!("{first} to {last}");
    }
    releases.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RustPath {
        RustPath::new(text).unwrap()
    }

    #[test]
    fn types_are_known_with_their_releases() {
        let release = |minor| Some(Release::new(minor));
        let pod = path("k8s_openapi::api::core::v1::Pod");
        assert_eq!(releases_of(&pod), Some(releases()));
        assert!([None, release(5), release(33), release(99)].iter().all(|release| exists(&pod, *release)));
        let mutating = path("k8s_openapi::api::admissionregistration::v1::MutatingAdmissionPolicy");
        assert_eq!(releases_of(&mutating).unwrap().first(), release(36).as_ref());
        assert!(exists(&mutating, None) && exists(&mutating, release(36)) && !exists(&mutating, release(35)));
        assert!(!exists(&path("k8s_openapi::api::core::v1::Gadget"), None));
        // Whether other crates have their types is theirs to say.
        assert!(exists(&path("example_types::v1::Gadget"), None));
    }

    #[test]
    fn releases_in_words() {
        for (minors, text) in [(&[35, 36, 37][..], "1.35 to 1.37"), (&[33], "1.33"), (&[33, 35], "1.33 and 1.35")] {
            assert_eq!(words(&minors.iter().copied().map(Release::new).collect()), text);
        }
    }
}
