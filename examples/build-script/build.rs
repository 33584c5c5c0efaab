//! Makes the module `shop` of the CRDs in `crds/`.

fn main() {
    informer_gen::Builder::new("shop").crd("crds").run();
}
