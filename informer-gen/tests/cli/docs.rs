//! `docs/errors.md` shows broken CRDs and what the command says to them: here it is run. The CRDs are among those of
//! `tests/data/refused`.
//!
//! `INFORMER_GEN_BLESS=1 cargo test -p informer-gen --test cli docs` writes the texts anew.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::case::Case;

/// Each with what it is about.
const SHOWN: [(&str, &str); 5] = [
    ("name-other-than-plural-and-group.yaml", "A name that does not fit"),
    ("type-missing.yaml", "A field without a type"),
    ("storage-twice.yaml", "Two versions for one storage"),
    ("default-not-in-enum.yaml", "A default that its own schema refuses"),
    ("approval-missing.yaml", "A group of the Kubernetes project"),
];

const HEAD: &str = "\
# Five broken CRDs

What an API server would refuse, `informer-gen` refuses, and says where: the file with line and column, the CRD, the
path in it, and where it helps what to do. All that is wrong is told in one run, and nothing is written. For tools,
`--message-format json` gives the same as one JSON object a line (`severity`, `message`, `file`, `line`, `column`, `start`
and `end` in bytes, `crd`, `pointer`, `hint`).

Each of these CRDs was given to a server of Kubernetes 1.37, which refused it for the same reason. The command is
`informer-gen --crd FILE --crate shop-informers --out shop`; a test keeps these texts true.
";

#[test]
fn docs_show_what_is_really_said() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = HEAD.to_owned();
    for (file, title) in SHOWN {
        let crd = fs::read_to_string(here.join("tests/data/refused").join(file)).unwrap();
        let case = Case::new(&[(file, &crd)]);
        let (code, stdout, stderr) = case.run(&format!("--crd {file} --crate shop-informers --out shop"));
        assert_eq!((code, stdout.as_str()), (1, ""), "{file}");
        write!(text, "\n## {title}\n\n```yaml\n{crd}```\n\n```text\n{stderr}```\n").unwrap();
    }
    let path = here.join("../docs/errors.md");
    if std::env::var_os("INFORMER_GEN_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert_eq!(committed, text, "see the top of {}", file!());
}
