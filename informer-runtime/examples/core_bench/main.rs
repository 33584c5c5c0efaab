//! What the core of the runtime costs, measured side by side with a typed decode of the same objects.
//!
//! ```text
//! cargo run --release -p informer-runtime --example core_bench -- [--pods 20000] [--runs 3]
//! ```
//!
//! Every figure comes from a fresh process, the median of several runs. The server of the loopback figures is a
//! process of its own, too.

mod measure;
mod report;
mod pods;
mod wire;
mod serve;
mod memory;
mod decode;
mod read;
mod pipeline;

use pipeline::Handler;
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
    // Two threads where a server is at the other end, as many as the machine of the committed figures has. From memory
    // one: two would only hand objects to each other, and allocate where glibc asks the kernel for every page.
    let runtime = if what.ends_with("-two-threads") || what.contains("loopback") {
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?
    } else {
        tokio::runtime::Builder::new_current_thread().enable_all().build()?
    };
    match what {
        "decode" => Ok(decode::measure(form, pods)?),
        "read-socket" => read::from_socket(form, pods),
        "read-memory" => runtime.block_on(read::from_memory(form, pods)),
        "read-loopback" => runtime.block_on(read::from_server(form, pods, false, Reader::Worker)),
        "read-loopback-kube" => runtime.block_on(read::from_server(form, pods, true, Reader::Worker)),
        "read-loopback-main" => runtime.block_on(read::from_server(form, pods, false, Reader::Main)),
        "read-loopback-kube-main" => runtime.block_on(read::from_server(form, pods, true, Reader::Main)),
        "informer-memory" | "informer-memory-two-threads" => {
            runtime.block_on(pipeline::from_memory(form, pods, Handler::ReadsKeysAndLabels))
        }
        "informer-memory-alone" => runtime.block_on(pipeline::from_memory(form, pods, Handler::None)),
        "informer-loopback" => runtime.block_on(pipeline::from_server(form, pods, false)),
        "informer-loopback-kube" => runtime.block_on(pipeline::from_server(form, pods, true)),
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

fn compare(form: Form, pods: usize, runs: usize) -> Result<(), AnyError> {
    let measure = |what| measure(what, form, pods, runs);
    let decode = measure("decode")?;
    let typed = decode.get("from_str").min(decode.get("from_slice"));
    println!("\n{pods} Pods of {:.0} bytes ({})", decode.get("bytes"), form.name());
    println!("  {:<54} {:>8} {:>8} {:>8}", "µs per object", "wall", "CPU", "/decode");
    let row = |title: &str, wall: f64, cpu: f64| {
        let wall = if wall.is_nan() { String::new() } else { format!("{wall:.2}") };
        println!("  {title:<54} {wall:>8} {cpu:>8.2} {:>8.2}", cpu / typed);
    };
    row("typed decode, from_str", f64::NAN, decode.get("from_str"));
    row("typed decode, from_slice", f64::NAN, decode.get("from_slice"));
    row("serde_json, check only", f64::NAN, decode.get("check"));
    for (title, what) in [
        ("find lines, from memory", "read-memory"),
        ("loopback, raw socket: the server's speed", "read-socket"),
        ("find lines, loopback, informer_runtime::client", "read-loopback"),
        ("  read by the task of main", "read-loopback-main"),
        ("find lines, loopback, kube's default client", "read-loopback-kube"),
        ("  read by the task of main", "read-loopback-kube-main"),
    ] {
        let figures = measure(what)?;
        row(title, figures.get("wall"), figures.get("cpu"));
    }

    let alone = measure("informer-memory-alone")?;
    let memory = measure("informer-memory")?;
    let threads = measure("informer-memory-two-threads")?;
    let loopback = measure("informer-loopback")?;
    let default_client = measure("informer-loopback-kube")?;
    for (title, figures) in [
        ("informer, from memory, no handler", &alone),
        ("informer, from memory, handler reads keys and labels", &memory),
        ("  the same on two threads", &threads),
        ("informer, loopback, informer_runtime::client", &loopback),
        ("informer, loopback, kube's default client", &default_client),
    ] {
        row(title, figures.get("wall"), figures.get("cpu"));
    }
    row("relist of the same content, from memory", f64::NAN, memory.get("relist_cpu"));
    let added = |name: &str| loopback.get(name) - memory.get(name);
    println!("  the handler costs {:.2} µs CPU", memory.get("cpu") - alone.get("cpu"));
    println!("  loopback adds {:.2} µs wall, {:.2} µs CPU", added("wall"), added("cpu"));
    for (title, figures) in [("from memory", &memory), ("loopback", &loopback)] {
        println!(
            "  {title}: cache {:.0} bytes RSS an object ({:.2} of its JSON); relist peak / steady {:.2}",
            figures.get("rss"),
            figures.get("rss") / decode.get("bytes"),
            figures.get("relist_peak")
        );
    }
    Ok(())
}
