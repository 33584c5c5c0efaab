//! Other ways to ask: patterns, a file with the flags, modules, trial runs, explanations.

use std::fs;

use crate::case::{Case, WIDGET, zone};

#[test]
fn patterns_name_files() {
    let case =
        Case::new(&[("crds/a/widget.yaml", WIDGET), ("crds/b/zone.yaml", &zone()), ("crds/b/values.yaml", "a: 1\n")]);
    let (code, _, stderr) = case.run("--crd crds/**/[wz]*.yaml --crate shop-informers --out out");
    assert_eq!(code, 1);
    assert!(stderr.contains("no file is like crds/**/[wz]*.yaml"), "{stderr}");
    let (code, _, stderr) = case.run("--crd crds/*/widge?.yaml --crd crds/**/z*.yaml --crate shop-informers --out out");
    assert_eq!((code, stderr.as_str()), (0, ""));
    let out = case.out();
    assert!(out.contains_key("src/shop_example_test/v1/widget.rs"));
    assert!(out.contains_key("src/shop_example_test/v1/zone.rs"));
}

#[test]
fn a_file_holds_the_flags() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET)]);
    let (code, _, stderr) = case.run("");
    assert_eq!(code, 1);
    assert!(stderr.contains("there is no informer-gen.toml here"), "{stderr}");
    assert_eq!(case.generate("--no-docs").0, 0);
    let by_flags = case.out();
    fs::remove_dir_all(case.folder.path().join("out")).unwrap();
    case.put("informer-gen.toml", "crd = 'crds'\ncrate = 'shop-informers'\nout = 'out'\nno-docs = true\n");
    let (code, _, stderr) = case.run("");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(case.out(), by_flags);
    assert_eq!(case.run("--check").0, 0);
    assert_eq!(case.run("--config informer-gen.toml --crate other --check").0, 2);
    case.put("informer-gen.toml", "crd = 'crds'\ncrates = 'a'\n");
    let (code, _, stderr) = case.run("");
    assert_eq!(code, 1);
    assert!(stderr.contains("informer-gen.toml") && stderr.contains("crates"), "{stderr}");
}

#[test]
fn types_are_shared_unless_all_are_to_be_ones_own() {
    let case = Case::new(&[("crds/widget.yaml", include_str!("../data/shared/input.yaml"))]);
    let types = |case: &Case| case.out()["src/shop_example_test/v1/widget.rs"].clone();
    assert_eq!(case.generate("").0, 0);
    assert!(types(&case).contains("pub conditions: Option<Vec<codegen::Condition>>"));
    let (_, report, _) = case.generate("--report");
    assert!(
        report.contains("    with informer_runtime::Condition, k8s_openapi::api::core::v1::Affinity, "),
        "{report}"
    );
    let (_, explained, _) = case.run("explain crds");
    assert!(explained.contains("conditions: list of informer_runtime::Condition, which exists"), "{explained}");
    assert_eq!(case.generate("--own-types").0, 0);
    let own = types(&case);
    assert!(own.contains("pub conditions: Option<Vec<status::Conditions>>"), "{own}");
    assert!(!own.contains("codegen::Condition") && !own.contains("core::v1"), "{own}");
    assert!(!case.generate("--own-types --report").1.contains("    with "));
    // The file can say so too, and what is written says how it was made.
    case.put("informer-gen.toml", "crd = 'crds'\ncrate = 'shop-informers'\nout = 'out'\nown-types = true\n");
    assert_eq!(case.run("--check").0, 0);
    assert!(own.contains("--own-types"), "{own}");
}

#[test]
fn a_trial_run_writes_nothing() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET)]);
    let (code, stdout, _) = case.generate("--dry-run");
    assert_eq!(code, 0);
    assert!(
        stdout.contains("would create src/lib.rs (+") && stdout.ends_with("out: nothing was written\n"),
        "{stdout}"
    );
    assert!(case.out().is_empty());
    assert_eq!(case.generate("").0, 0);
    assert_eq!(case.generate("--dry-run").1, "out: nothing would change\n");
}

#[test]
fn a_module_for_a_crate_that_exists() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET), ("out/shop/mine.rs", "// mine\n")]);
    let (code, _, stderr) = case.run("--crd crds --module --out out/shop");
    assert_eq!((code, stderr.as_str()), (0, ""));
    let out = case.out();
    assert!(out["shop/mod.rs"].contains("--out . --module"), "{}", out["shop/mod.rs"]);
    assert!(out.contains_key("shop/shop_example_test/v1/widget.rs"));
    assert!(!out.keys().any(|path| path.contains("Cargo.toml") || path.contains("lib.rs")));
    assert_eq!(out["shop/mine.rs"], "// mine\n");
    assert_eq!(case.run("--crd crds --module --out out/shop --check").0, 0);
    let (code, _, stderr) = case.run("--crd crds --module --out out/my-shop");
    assert_eq!(code, 1);
    assert!(stderr.contains("can't be the name of a module"), "{stderr}");
}

#[test]
fn a_crd_is_explained() {
    let case = Case::new(&[("widget.yaml", WIDGET)]);
    let (code, stdout, stderr) = case.run("explain widget.yaml");
    assert_eq!((code, stderr.as_str()), (0, ""));
    for told in [
        "Widget in shop.example.test/v1\n",
        "/apis/shop.example.test/v1/namespaces/NAMESPACE/widgets",
        "factory.shop_example_test().v1().widgets()",
        "size: string (optional)",
    ] {
        assert!(stdout.contains(told), "{told} in:\n{stdout}");
    }
}

/// Bombs and depth are told, and end in no overflow.
#[test]
fn h26_h32_limits_are_told() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let before = format!("*a{}, ", level - 1).repeat(10);
        bomb += &format!("a{level}: &a{level} [{}]\n", before.trim_end_matches(", "));
    }
    let deep = |levels: usize| {
        let open = "{type: object, properties: {a: ".repeat(levels);
        let schema = format!("{open}{{type: string}}{}", "}}".repeat(levels));
        WIDGET.replace("{type: string, description: How large it is.}", &schema)
    };
    let case = Case::new(&[("bomb.yaml", &bomb), ("deep.yaml", &deep(200)), ("abyss.yaml", &deep(5_000))]);
    let (code, _, stderr) = case.run("--crd bomb.yaml --crate shop-informers --out out");
    assert_eq!(code, 1);
    assert!(stderr.contains("too large with its aliases written out"), "{stderr}");
    assert_eq!(case.run("--crd deep.yaml --crate shop-informers --out out").0, 0);
    let (code, _, stderr) = case.run("--crd abyss.yaml --crate shop-informers --out out");
    assert_eq!(code, 1);
    assert!(stderr.contains("nested more than 1000 levels deep"), "{stderr}");
    // Broken at the bottom: the walk goes there.
    case.put("deep.yaml", deep(200).replace("{type: string}}", "{type: text}}"));
    let (code, _, stderr) = case.run("--crd deep.yaml --crate shop-informers --out out");
    assert_eq!(code, 1);
    assert!(stderr.contains("`type: text` is none of"), "{stderr}");
}

#[test]
fn other_names_on_request() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET)]);
    let flags = "--rename group:shop.example.test=shop --rename kind:shop.example.test/v1/Widget=ShopWidget";
    let (code, _, stderr) = case.generate(flags);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let by_flags = case.out();
    let types = &by_flags["src/shop/v1/shop_widget.rs"];
    assert!(types.contains("pub struct ShopWidget {") && types.contains("const KIND: &'static str = \"Widget\""));
    assert!(types.contains(flags), "{types}");
    fs::remove_dir_all(case.folder.path().join("out")).unwrap();
    let rename = "rename = ['group:shop.example.test=shop', 'kind:shop.example.test/v1/Widget=ShopWidget']\n";
    case.put("informer-gen.toml", format!("crd = 'crds'\ncrate = 'shop-informers'\nout = 'out'\n{rename}"));
    assert_eq!(case.run("").0, 0);
    assert_eq!(case.out(), by_flags);

    let (code, _, stderr) = case.generate("--rename kind:shop.example.test/v1/Wigdet=A --rename group:x=B");
    assert_eq!(code, 1);
    assert!(stderr.contains("\"B\" can't be its name") && stderr.contains("like shop_two"), "{stderr}");
    let (code, _, stderr) = case.generate("--rename kind:shop.example.test/v1/Wigdet=A");
    assert_eq!(code, 1);
    assert!(stderr.contains("near it: `kind:shop.example.test/v1/Widget`"), "{stderr}");
    assert_eq!(case.out(), by_flags);
}

#[test]
fn derives_and_attributes_on_request() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET)]);
    let flags = "--derive Eq --derive Widget.spec=Hash --attribute Widget.spec.size=deprecated";
    let (code, _, stderr) = case.generate(flags);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let by_flags = case.out();
    let types = &by_flags["src/shop_example_test/v1/widget.rs"];
    assert!(
        types.contains(flags) && types.contains("Default, PartialEq, Eq, Hash)]\npub struct WidgetSpec"),
        "{types}"
    );
    assert!(types.contains("#[deprecated]\n    pub size: "), "{types}");
    fs::remove_dir_all(case.folder.path().join("out")).unwrap();
    let more = "derive = ['Eq', 'Widget.spec=Hash']\nattribute = 'Widget.spec.size=deprecated'\n";
    case.put("informer-gen.toml", format!("crd = 'crds'\ncrate = 'shop-informers'\nout = 'out'\n{more}"));
    assert_eq!(case.run("").0, 0);
    assert_eq!(case.out(), by_flags);

    let (code, _, stderr) = case.generate("--derive Widget.spce=Eq --attribute Widget.spec.sizes=a");
    assert_eq!(code, 1);
    assert!(stderr.contains("Widget has no field \"spce\"") && stderr.contains("near it: `spec`"), "{stderr}");
    assert!(stderr.contains("near it: `size`") && stderr.contains("2 problems; nothing was written"), "{stderr}");
    assert_eq!(case.out(), by_flags);
}
