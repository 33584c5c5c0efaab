//! Names that were meant, perhaps: for hints.

/// How many names a hint tells.
const SHOWN: usize = 3;

/// Characters of a name that are compared; what people type is shorter.
const COMPARED: usize = 120;

/// The names that are nearest to one that is none of them, as the end of a sentence; where none is near, the first ones.
pub(crate) fn hint<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let mut ranked: Vec<(usize, &str)> = names.into_iter().map(|name| (distance(wanted, name), name)).collect();
    ranked.sort_unstable();
    ranked.dedup();
    let limit = wanted.chars().count().min(COMPARED) / 3 + 1;
    let near = ranked.iter().take_while(|(distance, _)| *distance <= limit).count();
    let list = |names: &[(usize, &str)]| {
        names.iter().take(SHOWN).map(|(_, name)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    match (near, ranked.len()) {
        (0, 0) => "there is none at all".to_owned(),
        (0, all) => {
            ranked.sort_unstable_by_key(|(_, name)| *name);
            let more = if all > SHOWN { format!(" and {} more", all - SHOWN) } else { String::new() };
            format!("there is {}{more}", list(&ranked))
        }
        (near, _) => format!("near it: {}", list(&ranked[..near])),
    }
}

/// How many letters are to be put in, taken out or changed to make one of the other; case counts for nothing.
fn distance(a: &str, b: &str) -> usize {
    let letters = |text: &str| -> Vec<char> { text.chars().take(COMPARED).flat_map(char::to_lowercase).collect() };
    let (a, b) = (letters(a), letters(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_first() {
        assert_eq!(hint("sizes", ["size", "colour", "Sizes"]), "near it: `Sizes`, `size`");
        assert_eq!(hint("x", ["lengthy", "longer", "a", "other"]), "near it: `a`");
        assert_eq!(hint("abcdef", ["zzzzzz", "yyyyyyy", "x", "wwwww"]), "there is `wwwww`, `x`, `yyyyyyy` and 1 more");
        assert_eq!(hint("a", []), "there is none at all");
    }

    #[test]
    fn letters_are_counted() {
        for (a, b, expected) in [("", "", 0), ("abc", "ABC", 0), ("abc", "abd", 1), ("abc", "xabc", 1), ("", "abc", 3)]
        {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected), "{a} {b}");
        }
    }
}
