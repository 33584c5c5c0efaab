//! What generating costs: every CRD of a folder, on one core.
//!
//! ```text
//! cargo run --release -p informer-gen --example corpus_bench -- FOLDER [--out FOLDER] [--runs 3]
//! ```
//!
//! Each file that holds a CRD is a request of its own, as a test of a whole corpus makes them; with `--out` the result
//! is written, too. Of several runs the quickest counts. Times are those of a clock: on a machine that does other
//! things, take the processor time that is printed beside.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use informer_gen::{Input, Request};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("corpus_bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let [folder, options @ ..] = arguments else { return Err("name a folder with CRDs".into()) };
    let (mut out, mut runs) = (None, 3);
    for option in options.chunks(2) {
        match option {
            ["--out", folder] => out = Some(PathBuf::from(folder)),
            ["--runs", count] => runs = count.parse()?,
            _ => return Err(format!("unknown arguments {option:?}: FOLDER [--out FOLDER] [--runs N]").into()),
        }
    }
    let files = files(Path::new(folder))?;
    let mut best: Option<Figures> = None;
    for _ in 0..runs {
        let figures = generate(&files, out.as_deref())?;
        if best.as_ref().is_none_or(|best| figures.whole < best.whole) {
            best = Some(figures);
        }
    }
    if let Some(figures) = best {
        figures.print();
    }
    growth(runs)
}

/// What there is more of, the properties of a schema that has so many, and how many: the second eight times the first.
type Growth = (&'static str, fn(usize) -> String, [usize; 2]);

const GROWTH: [Growth; 3] = [
    (
        "fields of one object",
        |count| (0..count).map(|at| format!("f{at}: {{type: string}}, ")).collect(),
        [2_000, 16_000],
    ),
    (
        "objects with a field",
        |count| {
            (0..count).map(|at| format!("f{at}: {{type: object, properties: {{a: {{type: string}}}}}}, ")).collect()
        },
        [1_000, 8_000],
    ),
    (
        "levels of objects",
        |count| {
            let open: String = (0..count).map(|at| format!("f{at}: {{type: object, properties: {{")).collect();
            format!("{open}{}", "}}".repeat(count))
        },
        [60, 480],
    ),
];

/// How time grows with a schema: 1.0 is as much for each field as before.
fn growth(runs: usize) -> Result<(), Box<dyn Error>> {
    for (what, properties, counts) in GROWTH {
        let mut times = [Duration::MAX; 2];
        for (time, count) in times.iter_mut().zip(counts) {
            let text = CRD.replace("PROPERTIES", &properties(count));
            for _ in 0..runs {
                let input = Input::Text { name: "made-up.yaml".to_owned(), text: text.clone() };
                let start = Instant::now();
                informer_gen::generate(&Request::new("bench", "bench").command("corpus_bench").input(input))?;
                *time = (*time).min(start.elapsed());
            }
        }
        let ratio = times[1].as_secs_f64() / times[0].as_secs_f64() * counts[0] as f64 / counts[1] as f64;
        println!("{} to {} {what}: {ratio:.2} times the time for each", counts[0], counts[1]);
    }
    Ok(())
}

const CRD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.shop.example.test}
spec:
  group: shop.example.test
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {PROPERTIES}}}
";

/// All YAML and JSON files below a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "yaml" || end == "yml" || end == "json") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[derive(Default)]
struct Figures {
    inputs: usize,
    refused: usize,
    input_bytes: u64,
    kinds: usize,
    files: usize,
    lines: usize,
    bytes: usize,
    /// Reading and understanding the inputs, by themselves: clock and processor.
    understood: Duration,
    understood_processor: Option<Duration>,
    whole: Duration,
    written: Duration,
    processor: Option<Duration>,
}

fn generate(paths: &[PathBuf], out: Option<&Path>) -> Result<Figures, Box<dyn Error>> {
    let mut figures = Figures { inputs: paths.len(), ..Figures::default() };
    let request = |at: usize, path: &Path| {
        let name = format!("f{at:03}");
        let out = out.map_or_else(|| PathBuf::from(&name), |out| out.join(&name));
        Request::new(name, out).command("corpus_bench").input(Input::Path(path.to_owned()))
    };
    let (start, processor) = (Instant::now(), processor_time());
    for (at, path) in paths.iter().enumerate() {
        let _ = informer_gen::report(&request(at, path));
    }
    figures.understood = start.elapsed();
    figures.understood_processor = since(processor);
    let (start, processor) = (Instant::now(), processor_time());
    for (at, path) in paths.iter().enumerate() {
        let request = request(at, path);
        let Ok(generated) = informer_gen::generate(&request) else {
            figures.refused += 1;
            continue;
        };
        figures.kinds += generated.report.informers();
        figures.files += generated.tree.len();
        for (_, text) in generated.tree.iter() {
            figures.bytes += text.len();
            figures.lines += text.bytes().filter(|byte| *byte == b'\n').count();
        }
        if out.is_some() {
            let start = Instant::now();
            informer_gen::write(&generated.tree, &request.out)?;
            figures.written += start.elapsed();
        }
    }
    figures.whole = start.elapsed();
    figures.processor = since(processor);
    for path in paths {
        figures.input_bytes += fs::metadata(path)?.len();
    }
    Ok(figures)
}

fn since(start: Option<Duration>) -> Option<Duration> {
    processor_time().zip(start).map(|(end, start)| end - start)
}

/// What this process has had of a processor, where the system tells it.
fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// The most memory that this process has had, in KiB, where the system tells it.
fn peak_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

impl Figures {
    fn print(&self) {
        let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
        let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        println!("read     {} files, {:.1} MiB; {} refused", self.inputs, mib(self.input_bytes), self.refused);
        println!(
            "made     {} kinds, {} files, {} lines, {:.1} MiB",
            self.kinds,
            self.files,
            self.lines,
            mib(self.bytes as u64)
        );
        let processor =
            |time: Option<Duration>| time.map_or(String::new(), |time| format!(", processor {}", seconds(time)));
        let understood = processor(self.understood_processor);
        println!("reading and understanding  {}{understood}", seconds(self.understood));
        let whole = processor(self.processor.filter(|_| self.written.is_zero()));
        println!("all of generating          {}{whole}", seconds(self.whole - self.written));
        if !self.written.is_zero() {
            println!("writing to the disk        {}", seconds(self.written));
        }
        if let Some(time) = self.processor.filter(|_| !self.written.is_zero()) {
            println!("processor time of both     {}", seconds(time));
        }
        if let Some(peak) = peak_memory() {
            println!("peak memory                {:.0} MiB", mib(peak * 1024));
        }
    }
}
