//! The arguments of a test program, as far as they say whether this one is meant.

/// The name of the one test there is.
pub(crate) const NAME: &str = "the_same_as_client_go_or_better_for_a_reason";

/// What is wanted of this program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The test.
    Play,
    /// Its name.
    List,
    /// It is not among the tests that were chosen.
    Nothing,
}

/// Reads the arguments that cargo passes on: `--list`, `--skip`, `--ignored`, and names or parts of names.
pub(crate) fn wanted(mut arguments: impl Iterator<Item = String>) -> Wanted {
    let (mut list, mut chosen, mut named) = (false, false, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--list" => list = true,
            "--ignored" => return Wanted::Nothing,
            "--skip" if arguments.next().is_some_and(|part| NAME.contains(&part)) => return Wanted::Nothing,
            "--test-threads" | "--format" | "--color" | "--logfile" | "--shuffle-seed" | "-Z" => drop(arguments.next()),
            option if option.starts_with('-') => {}
            name => {
                named = true;
                chosen |= NAME.contains(name);
            }
        }
    }
    match (list, named && !chosen) {
        (_, true) => Wanted::Nothing,
        (true, false) => Wanted::List,
        (false, false) => Wanted::Play,
    }
}
