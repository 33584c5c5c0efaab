//! Tells cargo where the modules are: for documentation it looks at the files of the package alone.

fn main() {
    println!("cargo::rerun-if-changed=../../informer-gen/tests/data");
    println!("cargo::rerun-if-changed=../outputs/src");
}
