//! `docs/errors.md` shows broken CRDs and what the command says to them: here it is run. The CRDs are among those of
//! `tests/data/refused`.
//!
//! `INFORMER_GEN_BLESS=1 cargo test -p informer-gen --test cli docs` writes the texts anew.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::case::{Case, zone};

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
path in it, and where it helps what to do. (Left to the server: what rules in CEL cost, types in them beyond the fields
that they name, and a few defaults. Refused though a server takes it: a CRD without a served version.) All that is wrong
is told in one run, and nothing is written. With [`--keep-going`](#keeping-going) the rest is generated; [for
tools](#for-tools) there is JSON.

Each of these CRDs was given to a server of Kubernetes 1.37, which refused it for the same reason. The command is
`informer-gen --crd FILE --crate shop-informers --out shop`; a test keeps these texts true.
";

const LENIENT: &str = "
## Keeping going

One bad file among many need not hold up the others. With `--keep-going` (`keep-going = true` in `informer-gen.toml`,
`keep_going()` in a build script) a CRD of which anything is wrong is left out as a whole, and so is a file or document
that can't be read. Every problem is told as before, the last line counts what is missing, and the exit code is 0: exit
code 1 goes on to mean that nothing was written, and who wants a run to fail for one bad CRD leaves the flag out. What is
wrong with the command line or with an OpenAPI document still ends the run, and so does it when nothing is left.

A folder with one good CRD, the first two of above and a file that was cut off; `informer-gen --crd crds --crate
shop-informers --out shop --keep-going`:
";

const TOOLS: &str = "
## For tools

With `--message-format json` everything on standard error is one JSON object a line.

| field | where | what |
| --- | --- | --- |
| `severity` | always | `error` or `warning` |
| `message` | always | one sentence, without the place |
| `file`, `line`, `column` | problems of an input | from 1, columns in characters |
| `start`, `end` | problems of an input | bytes in the text as UTF-8 |
| `document` | in a file of several documents | its number, from 1 |
| `crd`, `pointer` | problems of a CRD | `metadata.name`, and the JSON pointer in it |
| `hint` | where one is known | what to do |
| `related` | where another place matters | a list of objects with `message` and place |
| `left_out` | errors with `--keep-going` | true: what it is about is missing, the rest was generated |
| `reason` | what has no place in an input | `usage`, `stale` (`--check`), `left-out`, `output`, `internal` |
| `crds`, `inputs` | `left-out` | names of the CRDs; number of files and documents that are left out whole |
| `file`, `difference`, `added`, `removed` | `stale` | the file, `missing`, `changed`, `edited` or `extra`, and lines |
| `command` | the last `stale` | what brings the output up to date |

`--dry-run` prints the same four fields of a file to standard output, with the `reason` `create`, `replace` or `delete`.
Exit codes are the same in both formats: 0 done, 1 nothing was written, 2 not up to date (`--check`), 3 a mistake of
informer-gen itself.
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
    text += LENIENT;
    let case = Case::new(&[("crds/zone.yaml", &zone())]);
    for (file, _) in &SHOWN[..2] {
        case.put(&format!("crds/{file}"), fs::read(here.join("tests/data/refused").join(file)).unwrap());
    }
    case.put("crds/cut-off.yaml", "apiVersion: apiextensions.k8s.io/v1\nspec: {names: {\n");
    let (code, stdout, stderr) = case.run("--crd crds --crate shop-informers --out shop --keep-going");
    assert_eq!(code, 0, "{stderr}");
    write!(text, "\n```text\n{stderr}```\n\nand on standard output:\n\n```text\n{stdout}```\n").unwrap();
    text += TOOLS;
    let path = here.join("../docs/errors.md");
    if std::env::var_os("INFORMER_GEN_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert_eq!(committed, text, "see the top of {}", file!());
}
