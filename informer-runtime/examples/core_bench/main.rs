//! What the core of the runtime costs, measured side by side with a typed decode of the same objects.
//!
//! ```text
//! cargo run --release -p informer-runtime --example core_bench -- [--pods 20000] [--runs 3]
//! ```
//!
//! Every figure comes from a fresh process, the median of several runs. The server of the loopback figures is a
//! process of its own, too.

mod decode;
mod measure;
mod memory;
mod pods;
mod read;
mod report;
mod serve;
mod wire;

use pods::Form;
use read::Reader;
use report::Figures;
use std::{
    env,
    error::Error,
    process::{Command, ExitCode, Stdio},
};

type AnyError = Box<dyn Error + Send + Sync>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("core_bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), AnyError> {
    match arguments {
        ["serve", form, pods] => Ok(serve::serve(parse_form(form)?, pods.parse()?)?),
        ["measure", what, form, pods] => {
            println!("{}", measure_here(what, parse_form(form)?, pods.parse()?)?);
            Ok(())
        }
        options => {
            let (mut pods, mut runs) = (20_000, 3);
            for option in options.chunks(2) {
                match option {
                    ["--pods", value] => pods = value.parse()?,
                    ["--runs", value] => runs = value.parse()?,
                    _ => return Err(format!("unknown arguments {option:?}: [--pods N] [--runs N]").into()),
                }
            }
            for form in Form::ALL {
                compare(form, pods, runs)?;
            }
            Ok(())
        }
    }
}

fn parse_form(name: &str) -> Result<Form, AnyError> {
    Form::ALL
        .into_iter()
        .find(|form| form.name() == name)
        .ok_or_else(|| format!("no form of Pods is named {name}").into())
}

/// In a process that does nothing else.
fn measure_here(what: &str, form: Form, pods: usize) -> Result<Figures, AnyError> {
    // two threads, as many as the machine of the committed figures has
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    match what {
        "decode" => Ok(decode::measure(form, pods)?),
        "read-socket" => read::from_socket(form, pods),
        "read-memory" => runtime.block_on(read::from_memory(form, pods)),
        "read-loopback" => runtime.block_on(read::from_server(form, pods, false, Reader::Worker)),
        "read-loopback-kube" => runtime.block_on(read::from_server(form, pods, true, Reader::Worker)),
        "read-loopback-main" => runtime.block_on(read::from_server(form, pods, false, Reader::Main)),
        "read-loopback-kube-main" => runtime.block_on(read::from_server(form, pods, true, Reader::Main)),
        _ => Err(format!("nothing is measured as {what}").into()),
    }
}

/// The medians of several fresh processes.
fn measure(what: &str, form: Form, pods: usize, runs: usize) -> Result<Figures, AnyError> {
    let mut all = Vec::new();
    for _ in 0..runs.max(1) {
        let output = Command::new(env::current_exe()?)
            .args(["measure", what, form.name(), &pods.to_string()])
            .stderr(Stdio::inherit())
            .output()?;
        if !output.status.success() {
            return Err(format!("measuring {what} failed").into());
        }
        all.push(Figures::parse(&String::from_utf8(output.stdout)?));
    }
    Ok(Figures::medians(&all))
}

/// One line of the table.
fn row(title: &str, wall: f64, cpu: f64, decode: f64) {
    let wall = if wall.is_nan() {
        String::new()
    } else {
        format!("{wall:.2}")
    };
    println!("  {title:<48} {wall:>8} {cpu:>8.2} {:>8.2}", cpu / decode);
}

fn compare(form: Form, pods: usize, runs: usize) -> Result<(), AnyError> {
    let decode = measure("decode", form, pods, runs)?;
    let typed = decode.get("from_slice").min(decode.get("from_str"));
    println!("\n{pods} Pods of {:.0} bytes ({})", decode.get("bytes"), form.name());
    println!("  {:<48} {:>8} {:>8} {:>8}", "µs per object", "wall", "CPU", "/decode");
    for (title, figure) in [
        ("typed decode, from_str", "from_str"),
        ("typed decode, from_slice", "from_slice"),
        ("serde_json, check only", "check"),
    ] {
        row(title, f64::NAN, decode.get(figure), typed);
    }
    for (title, what) in [
        ("find lines, from memory", "read-memory"),
        ("loopback, raw socket: the server's speed", "read-socket"),
        ("find lines, loopback, informer_runtime::client", "read-loopback"),
        ("  the same, read by the task of main", "read-loopback-main"),
        ("find lines, loopback, kube's default client", "read-loopback-kube"),
        ("  the same, read by the task of main", "read-loopback-kube-main"),
    ] {
        let figures = measure(what, form, pods, runs)?;
        row(title, figures.get("wall"), figures.get("cpu"), typed);
    }
    Ok(())
}
