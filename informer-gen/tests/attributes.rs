//! Attributes that people ask for come out as they were typed.

use informer_gen::{Input, Request, generate};
use proc_macro2::TokenStream;

const CRD: &str = include_str!("data/facts/input.yaml");

/// Whatever stands in an attribute stays what it is: operators, commas at the end, lifetimes, comments between.
#[test]
fn attributes_keep_their_tokens() {
    let operators = "+ - * / % ^ ! & | && || << >> += -= *= /= %= ^= &= |= <<= >>= = == != > < >= <= @ . .. ... ..= , ; : :: \
                     -> => # $ ? ~";
    let between =
        operators.split(' ').map(|operator| format!("a(b {operator} c, d{operator}e, {operator} {operator})"));
    let more = [
        "builder(default = a >= b || c, t = (1,), s = a >>= 1)",
        "a(f = |x: &'a [u8; 2],| -> Vec<Vec<u8>> { x.0.1 .into(), })",
        "a = \"https://example.test/*\"",
        "a(/* one /* two */ */ b, // three\n c = 'x', r#\"\"a\"\"#, b\"z\", 1..2, 1. .. 2.)",
        "a(/// told\n b)",
        "a(> >, >>, = =, ==, & &, &&, - >, ->)",
    ];
    for attribute in between.chain(more.map(str::to_owned)) {
        let Ok(meta) = attribute.parse::<TokenStream>() else { panic!("{attribute}") };
        let mut request = Request::new("x", "out").input(Input::Text { name: "a.yaml".into(), text: CRD.into() });
        request.attributes = vec![format!("Widget={attribute}")];
        let tree = generate(&request).unwrap_or_else(|problems| panic!("{attribute}: {problems}")).tree;
        let file = tree.get("src/shop_example_test/v1/widget.rs").unwrap();
        let tokens: TokenStream = file.parse().unwrap_or_else(|error| panic!("{attribute}: {error}"));
        assert!(tokens.to_string().contains(&format!("# [{meta}]")), "{attribute} in:\n{file}");
    }
}
