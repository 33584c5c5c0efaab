//! Every example runs to its end: in process, with time paused.

use informer_examples::Cluster;

/// A test for each example: its file, included as a module, and its `run`.
macro_rules! examples {
    ($($name:ident $path:literal),* $(,)?) => {$(
        #[path = $path]
        #[expect(dead_code, reason = "an example has a main of its own")]
        mod $name;

        #[tokio::test(start_paused = true)]
        async fn $name() {
            let cluster = Cluster::start().await.expect("a server");
            $name::run(&cluster).await.expect("the example runs to its end");
        }
    )*};
}

examples! {
    controller "../examples/controller.rs",
    derived_type "../examples/derived_type.rs",
    index_by_label "../examples/index_by_label.rs",
    lister_extension "../examples/lister_extension.rs",
    pod_program "../examples/pod_program.rs",
    scoped_factory "../examples/scoped_factory.rs",
    standalone "../examples/standalone.rs",
    two_crates "../examples/two_crates.rs",
}
