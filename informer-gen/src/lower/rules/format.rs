//! The formats of texts that the server knows, as far as they can be judged without doubt.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::keyword::is_base64;

/// Whether a text is of a format. `None` where that is left to the server; a format that it does not know is any text.
pub(super) fn fits(format: &str, text: &str) -> Option<bool> {
    let hexadecimal = |c: char| c.is_ascii_hexdigit();
    Some(match &*format.replace('-', "") {
        "password" => true,
        "date" => is_date(text),
        "datetime" => is_date_time(text)?,
        "duration" => is_duration(text)?,
        "ipv4" => is_ipv4(text),
        "ipv6" => text.contains(':') && text.parse::<Ipv6Addr>().is_ok(),
        "cidr" => is_cidr(text),
        "mac" => is_mac(text),
        "uuid" => is_uuid(text, |_, _| true),
        "uuid3" => is_uuid(text, |at, c| at != 12 || c == '3'),
        "uuid4" => is_uuid(text, |at, c| match at {
            12 => c == '4',
            16 => "89abAB".contains(c),
            _ => true,
        }),
        "uuid5" => is_uuid(text, |at, c| match at {
            12 => c == '5',
            16 => "89abAB".contains(c),
            _ => true,
        }),
        "byte" => !text.is_empty() && is_base64(text),
        "hexcolor" => {
            let digits = text.strip_prefix('#').unwrap_or(text);
            matches!(digits.len(), 3 | 6) && digits.chars().all(hexadecimal)
        }
        "bsonobjectid" => text.len() == 24 && text.chars().all(hexadecimal),
        "ssn" => is_ssn(text),
        "hostname" => is_hostname(text)?,
        "email" => is_email(text)?,
        "uri" => is_uri(text)?,
        "k8sshortname" => is_name(text) && text.len() <= 63,
        "k8slongname" => text.len() <= 253 && text.split('.').all(is_name),
        "isbn" | "isbn10" | "isbn13" | "creditcard" | "rgbcolor" => return None,
        _ => true,
    })
}

fn is_name(text: &str) -> bool {
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !text.is_empty() && text.chars().all(good) && !text.starts_with('-') && !text.ends_with('-')
}

/// Digits at fixed places, as a number.
fn digits(text: &str, from: usize, to: usize) -> Option<u32> {
    let part = text.get(from..to)?;
    part.bytes().all(|c| c.is_ascii_digit()).then(|| part.parse().ok())?
}

/// `2006-01-02`, a day that there is.
fn is_date(text: &str) -> bool {
    let (Some(year), Some(month), Some(day)) = (digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return false,
    };
    let dashes = text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-';
    text.len() == 10 && dashes && (1..=days).contains(&day)
}

/// A date, `T` and a time with its zone.
fn is_date_time(text: &str) -> Option<bool> {
    if !text.is_ascii() {
        return None;
    }
    let text = text.to_ascii_lowercase();
    let mut parts = text.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return Some(false) };
    let clock = |from| digits(time, from, from + 2);
    let (Some(hours), Some(minutes), Some(seconds)) = (clock(0), clock(3), clock(6)) else { return Some(false) };
    let colons = time.as_bytes()[2] == b':' && time.as_bytes()[5] == b':';
    let is_zone = |zone: &str| {
        let signed = zone.len() == 6 && zone.starts_with(['+', '-']) && zone.as_bytes()[3] == b':';
        zone == "z" || signed && digits(zone, 1, 3).is_some() && digits(zone, 4, 6).is_some()
    };
    let rest = &time[8..];
    // Whatever stands before the fraction.
    let after_fraction = rest.get(1..).map(|rest| (rest, rest.trim_start_matches(|c: char| c.is_ascii_digit())));
    let zoned = is_zone(rest) || after_fraction.is_some_and(|(rest, zone)| rest.len() > zone.len() && is_zone(zone));
    Some(is_date(date) && colons && zoned && hours <= 23 && minutes <= 59 && seconds <= 59)
}

/// Numbers with units of time, among whatever else.
fn is_duration(text: &str) -> Option<bool> {
    if matches!(text, "0" | "+0" | "-0") {
        return Some(true);
    }
    if !text.is_ascii() {
        return None;
    }
    const UNITS: [&str; 10] = ["ns", "us", "ms", "s", "m", "h", "hr", "d", "w", "wk"];
    const BEGINNINGS: [&str; 8] = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];
    let mut good = false;
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        rest = &rest[start..];
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = &rest[..rest.len() - after.len()];
        let unit = after.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
        let next = unit.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let unit = unit[..unit.len() - next.len()].to_ascii_lowercase();
        if !unit.is_empty() && number.parse::<i64>().is_err() {
            return Some(false);
        }
        good |= UNITS.contains(&&*unit) || BEGINNINGS.iter().any(|beginning| unit.starts_with(beginning));
        rest = if unit.is_empty() { after } else { next };
    }
    Some(good)
}

/// Four numbers, whose zeros in front don't count; or those at the end of an IPv6 address.
fn is_ipv4(text: &str) -> bool {
    if text.contains(':') {
        return text.contains('.') && text.parse::<Ipv6Addr>().is_ok();
    }
    ipv4(text).is_some()
}

fn ipv4(text: &str) -> Option<Ipv4Addr> {
    let number = |part: &str| {
        let good = !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
        good.then(|| part.parse::<u8>().ok())?
    };
    let mut parts = text.split('.').map(number);
    let address = [parts.next()??, parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then(|| address.into())
}

fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else { return false };
    let most = match () {
        () if ipv4(address).is_some() => 32,
        () if address.contains(':') && address.parse::<Ipv6Addr>().is_ok() => 128,
        () => return false,
    };
    !bits.is_empty() && bits.bytes().all(|c| c.is_ascii_digit()) && bits.parse::<u32>().is_ok_and(|bits| bits <= most)
}

fn is_mac(text: &str) -> bool {
    if text.bytes().all(|c| c.is_ascii_hexdigit()) {
        return matches!(text.len(), 12 | 16 | 40);
    }
    let (separator, width) = match text {
        _ if text.contains(':') => (':', 2),
        _ if text.contains('-') => ('-', 2),
        _ => ('.', 4),
    };
    let parts = text.split(separator);
    let bytes = parts.clone().count() * width / 2;
    let good = |part: &str| part.len() == width && part.bytes().all(|c| c.is_ascii_hexdigit());
    matches!(bytes, 6 | 8 | 20) && parts.clone().all(good)
}

/// Dashes may be left out; `digit` tells whether a digit is right in its place.
fn is_uuid(text: &str, digit: fn(usize, char) -> bool) -> bool {
    let mut found = 0;
    let mut dashes = Vec::new();
    for c in text.chars() {
        if c == '-' && [8, 12, 16, 20].contains(&found) && !dashes.contains(&found) {
            dashes.push(found);
        } else if c.is_ascii_hexdigit() && digit(found, c) {
            found += 1;
        } else {
            return false;
        }
    }
    found == 32
}

fn is_ssn(text: &str) -> bool {
    let bytes = text.as_bytes();
    let separator = |at: usize| matches!(bytes[at], b'-' | b' ');
    bytes.len() == 11
        && separator(3)
        && separator(6)
        && bytes.iter().enumerate().all(|(at, c)| at == 3 || at == 6 || c.is_ascii_digit())
}

/// One label without dashes in a row, or several and a top-level domain of letters.
fn is_hostname(text: &str) -> Option<bool> {
    if !text.is_ascii() {
        return None;
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "$+<=>^`|~".contains(c);
    let Some((labels, last)) = text.rsplit_once('.') else {
        let mut chars = text.chars();
        let first = chars.next().is_some_and(plain);
        let rest = chars.as_str();
        let rest = rest.strip_prefix('-').unwrap_or(rest);
        return Some(first && rest.len() <= 62 && rest.chars().all(plain) && text.len() <= 63);
    };
    let label = |label: &str| {
        let inner = |c: char| plain(c) || c == '-';
        let ends = label.starts_with(plain) && label.ends_with(plain);
        ends && label.len() <= 63 && label.chars().all(inner)
    };
    let top = (2..=63).contains(&last.len()) && last.chars().all(|c| c.is_ascii_alphabetic());
    Some(top && labels.split('.').all(label) && text.len() <= 255)
}

fn is_email(text: &str) -> Option<bool> {
    let Some((local, domain)) = text.split_once('@') else { return Some(false) };
    let plain = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric());
    let simple = local.split('.').all(plain) && domain.split('.').all(plain);
    simple.then_some(true)
}

fn is_uri(text: &str) -> Option<bool> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._~-".contains(c);
    if text.is_empty() || text.chars().any(|c| c.is_ascii_control()) {
        return Some(false);
    }
    if text.starts_with('/') {
        return text.chars().all(plain).then_some(true);
    }
    let Some((scheme, rest)) = text.split_once(':') else { return Some(text == "*") };
    let good_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    let good_scheme = good_scheme && scheme.chars().all(|c| c.is_ascii_alphanumeric());
    (good_scheme && rest.starts_with('/') && rest.chars().all(plain)).then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a server of Kubernetes 1.37 took and refused as defaults.
    #[test]
    fn as_a_server_does() {
        for row in include_str!("../../../tests/data/formats.tsv").lines().skip(1) {
            let [format, text, server] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
            let judged = fits(format, text);
            assert!(judged.is_none_or(|fits| fits == (server == "taken")), "{row}: {judged:?}");
            assert!(
                judged.is_some() || matches!(format, "uri" | "email" | "isbn" | "creditcard"),
                "{row} is not judged"
            );
        }
    }
}
