//! Words of a name, and the cases that Rust wants them in.
//!
//! Identifiers are ASCII, so that neither normalisation nor look-alike letters matter: any other letter is written as
//! its code point.

/// The words of a name in lower case. A word ends where a capital letter begins the next one, where a run of capitals
/// turns into a word, and at everything that is neither letter nor digit. `clusterIPs` is `cluster ips`, `HTTPRoute`
/// is `http route`, `v1beta1` is one word.
pub(crate) fn words(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for (at, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            open = false;
            continue;
        }
        if !open || starts_word(&chars, at) {
            words.push(String::new());
            open = true;
        }
        let Some(word) = words.last_mut() else { continue };
        if c.is_ascii() {
            word.push(c.to_ascii_lowercase());
        } else {
            word.push_str(&code_point(c));
        }
    }
    words
}

/// Whether a letter or digit inside a run of them begins a new word.
fn starts_word(chars: &[char], at: usize) -> bool {
    let upper = |at: usize| chars.get(at).is_some_and(char::is_ascii_uppercase);
    let lower = |at: usize| chars.get(at).is_some_and(char::is_ascii_lowercase);
    if !upper(at) || at == 0 {
        return false;
    }
    if !upper(at - 1) {
        return true;
    }
    // The last capital of a run begins the next word when a small letter follows, unless that letter still belongs to
    // the run: the plural of an acronym (`IPs`), or a version of one (`IPv4`).
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let plural = chars.get(at + 1) == Some(&'s') && !lower(at + 2) && !digit(at + 2);
    let versioned = chars.get(at + 1) == Some(&'v') && digit(at + 2);
    lower(at + 1) && !plural && !versioned
}

/// The words of a name with every symbol spelled out, so that names that differ in symbols only differ here.
pub(crate) fn spelled(text: &str) -> Vec<String> {
    if text.is_empty() {
        return vec!["empty".to_owned()];
    }
    let mut spelled = Vec::new();
    let mut run = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() {
            run.push(c);
        } else {
            spelled.extend(words(&run));
            run.clear();
            spelled.push(symbol(c).map_or_else(|| code_point(c), str::to_owned));
        }
    }
    spelled.extend(words(&run));
    spelled
}

fn code_point(c: char) -> String {
    format!("u{:04x}", u32::from(c))
}

fn symbol(c: char) -> Option<&'static str> {
    Some(match c {
        ' ' => "space",
        '!' => "not",
        '"' => "quote",
        '#' => "hash",
        '$' => "dollar",
        '%' => "percent",
        '&' => "and",
        '\'' => "apostrophe",
        '(' => "open",
        ')' => "close",
        '*' => "star",
        '+' => "plus",
        ',' => "comma",
        '-' => "dash",
        '.' => "dot",
        '/' => "slash",
        ':' => "colon",
        ';' => "semicolon",
        '<' => "less",
        '=' => "equal",
        '>' => "greater",
        '?' => "question",
        '@' => "at",
        '[' => "open_bracket",
        '\\' => "backslash",
        ']' => "close_bracket",
        '^' => "caret",
        '_' => "underscore",
        '`' => "backtick",
        '{' => "open_brace",
        '|' => "or",
        '}' => "close_brace",
        '~' => "tilde",
        _ => return None,
    })
}

/// `snake_case`; may be a keyword or begin with a digit.
pub(crate) fn snake(words: &[String]) -> String {
    words.join("_")
}

/// `PascalCase`; digits that would run together are kept apart (`1_2`). May be `Self` or begin with a digit.
pub(crate) fn pascal(words: &[String]) -> String {
    let mut text = String::new();
    for word in words.iter().flat_map(|word| word.split('_')) {
        let mut chars = word.chars();
        let Some(first) = chars.next() else { continue };
        if first.is_ascii_digit() && text.ends_with(|c: char| c.is_ascii_digit()) {
            text.push('_');
        }
        text.push(first.to_ascii_uppercase());
        text.push_str(chars.as_str());
    }
    text
}

/// `lowerCamelCase`, as most JSON names are.
pub(crate) fn lower_camel(words: &[String]) -> String {
    let Some((first, rest)) = words.split_first() else { return String::new() };
    first.clone() + &pascal(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snake_of(text: &str) -> String {
        snake(&words(text))
    }

    #[test]
    fn words_end_where_people_see_them_end() {
        for (text, expected) in [
            ("Widget", "widget"),
            ("HTTPRoute", "http_route"),
            ("HttpRoute", "http_route"),
            ("PodIOChaos", "pod_io_chaos"),
            ("APIMgmtAPI", "api_mgmt_api"),
            ("AMDGPU", "amdgpu"),
            ("clusterIP", "cluster_ip"),
            ("clusterIPs", "cluster_ips"),
            ("podCIDRs", "pod_cidrs"),
            ("allowedIPv4Range", "allowed_ipv4_range"),
            ("v1beta1", "v1beta1"),
            ("http2Server", "http2_server"),
            ("X509Subject", "x509_subject"),
            ("nvidia.com/gpu", "nvidia_com_gpu"),
            ("$ref", "ref"),
            ("1st", "1st"),
            ("größe", "gru00f6u00dfe"),
            ("日本", "u65e5u672c"),
            ("", ""),
            ("-", ""),
        ] {
            assert_eq!(snake_of(text), expected, "{text}");
        }
    }

    #[test]
    fn symbols_are_spelled_when_they_alone_tell_names_apart() {
        assert_eq!(pascal(&spelled("!=")), "NotEqual");
        assert_eq!(pascal(&spelled("")), "Empty");
        assert_eq!(snake(&spelled("a/b")), "a_slash_b");
        assert_eq!(pascal(&spelled("C++")), "CPlusPlus");
        assert_eq!(pascal(&spelled("\u{202e}")), "U202e");
    }

    #[test]
    fn pascal_keeps_numbers_apart() {
        assert_eq!(pascal(&words("1.0.0-rc1")), "1_0_0Rc1");
        assert_eq!(pascal(&words("TLS12")), "Tls12");
    }
}
