//! The program in the README is the one that runs as an example.

#[test]
fn the_ten_lines_of_the_readme_are_the_example() {
    let readme = include_str!("../../README.md");
    let example: Vec<&str> = include_str!("../examples/pod_program.rs").lines().map(str::trim).collect();
    let (_, rest) = readme.split_once("```rust\n").expect("the README has a program");
    let (program, _) = rest.split_once("```").expect("with an end");
    let mut from = 0;
    for line in program.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let at = example[from..].iter().position(|found| *found == line);
        from += 1 + at.unwrap_or_else(|| panic!("not in the example, or not in this order: {line}"));
    }
}
