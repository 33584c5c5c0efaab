//! Label selectors: grammar, matching, canonical form.

use std::collections::BTreeMap;

use informer_runtime::Selector;
use kube::core::Expression;
use proptest::prelude::*;

fn parse(text: &str) -> Selector {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn matches(selector: &str, labels: &[(&str, &str)]) -> bool {
    let labels: BTreeMap<_, _> = labels.iter().copied().collect();
    parse(selector).matches_with(|key| labels.get(key).copied())
}

#[test]
fn every_operator_matches_as_the_server_does() {
    let labels = [("tier", "web"), ("size", "3"), ("empty", "")];
    for yes in [
        "",
        "tier",
        "tier=web",
        "tier==web",
        "tier!=api",
        "absent!=x",
        "absent notin (x,y)",
        "tier in (api, web)",
        "tier notin (api)",
        "!absent",
        "size>2",
        "size<4",
        "empty=",
        "empty",
        "empty in (,x)",
        "tier=web,size>2,!absent",
        " tier\t=\nweb ",
    ] {
        assert!(matches(yes, &labels), "{yes}");
    }
    for no in [
        "absent",
        "tier=api",
        "absent=x",
        "absent=",
        "tier!=web",
        "absent in (x)",
        "tier notin (web)",
        "!tier",
        "size>3",
        "size<3",
        "tier>1",
        "absent>1",
        "absent<1",
        "empty!=",
        "tier=web,absent",
        "tier=web,tier=api",
    ] {
        assert!(!matches(no, &labels), "{no}");
    }
}

#[test]
fn keywords_can_be_keys_and_values() {
    assert!(matches("in=notin", &[("in", "notin")]));
    assert!(matches("in in (in)", &[("in", "in")]));
    assert!(matches("notin,!in", &[("notin", "x")]));
}

#[test]
fn prefixed_keys() {
    assert!(matches("shop.example.test/tier=web", &[("shop.example.test/tier", "web")]));
    for bad in ["Shop.example.test/tier", "/tier", "a/", "a/b/c", "a..b/c", "-a/b", "a_b/c"] {
        assert!(bad.parse::<Selector>().is_err(), "{bad}");
    }
}

#[test]
fn faults_are_located() {
    for (text, position) in [
        ("=x", 0),
        ("a in", 4),
        ("a=b c", 4),
        ("a,", 2),
        ("a,,b", 2),
        (",a", 0),
        ("a in ()", 6),
        ("a in (b", 7),
        ("a in b", 5),
        ("!", 1),
        ("!a=b", 2),
        ("a!b", 1),
        ("a=(b)", 2),
        ("a>x", 2),
        ("a>", 2),
        ("a<1.5", 2),
        ("a=-b", 2),
        ("a=b-", 2),
        ("é=b", 0),
        ("a=é", 2),
        ("a in (b,é)", 8),
        ("a b", 2),
        ("a===b", 3),
        ("(a)", 0),
    ] {
        let error = text.parse::<Selector>().expect_err(text);
        assert_eq!(error.position(), position, "{text}: {error}");
    }
}

#[test]
fn lengths_are_limited() {
    let long = |n| "a".repeat(n);
    assert!(format!("{}={}", long(63), long(63)).parse::<Selector>().is_ok());
    assert!(format!("{}=b", long(64)).parse::<Selector>().is_err());
    assert!(format!("a={}", long(64)).parse::<Selector>().is_err());
    assert!(format!("{}/b", long(254)).parse::<Selector>().is_err());
    let error = format!("a {}", long(100_000)).parse::<Selector>().expect_err("an unknown operator");
    assert!(error.to_string().len() < 200, "messages stay short");
}

#[test]
fn one_canonical_form() {
    assert_eq!(parse("b=2,a=1,b=2"), parse("a==1 , b in (2)"));
    assert_eq!(parse("n>3,a notin (z,y),c,!d,e!=f").to_string(), "a notin (y,z),c,!d,e!=f,n>3");
    assert_eq!(Selector::from_set([("b", "2"), ("a", "1")]).to_string(), "a=1,b=2");
    assert_eq!(Selector::from_set::<&str, &str>([]), Selector::everything());
    assert!(Selector::everything().is_everything() && parse("").is_empty() && Selector::default().is_everything());
    assert_eq!(Selector::everything().to_string(), "");
}

#[test]
fn nothing_matches_nothing_and_survives_its_text() {
    let nothing = Selector::nothing();
    assert!(!nothing.matches_with(|_| None) && !nothing.matches_with(|_| Some("x")));
    assert_eq!(parse(&nothing.to_string()), nothing);
}

#[test]
fn from_kube() {
    let from = |expression: Expression| Selector::from(expression);
    assert_eq!(from(Expression::Equal("a".into(), "b".into())), parse("a=b"));
    assert_eq!(from(Expression::NotEqual("a".into(), "b".into())), parse("a!=b"));
    assert_eq!(from(Expression::In("a".into(), ["c".into(), "b".into()].into())), parse("a in (b,c)"));
    assert_eq!(from(Expression::In("a".into(), [].into())), Selector::nothing());
    assert_eq!(from(Expression::NotIn("a".into(), [].into())), Selector::everything());
    let both: kube::core::Selector =
        [Expression::Exists("b".into()), Expression::DoesNotExist("a".into())].into_iter().collect();
    assert_eq!(Selector::from(both), parse("!a,b"));
}

proptest! {
    #[test]
    fn any_text_parses_or_is_refused_at_a_place_inside(text in "[a-z=!<>(), éin0-9./-]{0,30}") {
        match text.parse::<Selector>() {
            Ok(selector) => prop_assert_eq!(&selector.to_string().parse::<Selector>().expect("own text"), &selector),
            Err(error) => prop_assert!(text.is_char_boundary(error.position()), "{}", error),
        }
    }
}
