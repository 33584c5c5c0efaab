//! What a piece of work costs this process: time, processor time, memory.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Processor time that all threads of this process have used; zero where the system has no `/proc`. Threads that have
/// ended do not count: none of those measured does.
pub(crate) fn process_cpu() -> Duration {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let used = |task: fs::DirEntry| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    };
    Duration::from_nanos(tasks.filter_map(used).sum())
}

/// Memory of this process that is in RAM, in bytes; 0 where the system has no `/proc`.
pub(crate) fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kibibytes =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

/// A stopwatch for time and processor time.
pub(crate) struct Clock {
    wall: Instant,
    cpu: Duration,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { wall: Instant::now(), cpu: process_cpu() }
    }

    /// Microseconds per object since the start: time, processor time.
    pub(crate) fn per_object(&self, objects: usize) -> (f64, f64) {
        let (wall, cpu) = (self.wall.elapsed(), process_cpu().saturating_sub(self.cpu));
        let each = |time: Duration| time.as_secs_f64() * 1e6 / objects as f64;
        (each(wall), each(cpu))
    }
}

/// Watches the memory of this process from a thread of its own.
pub(crate) struct PeakMemory {
    peak: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
    watcher: JoinHandle<()>,
}

impl PeakMemory {
    const EVERY: Duration = Duration::from_millis(1);

    pub(crate) fn watch() -> Self {
        let (peak, over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let watcher = thread::spawn({
            let (peak, over) = (Arc::clone(&peak), Arc::clone(&over));
            move || {
                while !over.load(Ordering::Relaxed) {
                    peak.fetch_max(resident(), Ordering::Relaxed);
                    thread::sleep(Self::EVERY);
                }
            }
        });
        Self { peak, over, watcher }
    }

    /// The largest value seen, in bytes.
    pub(crate) fn stop(self) -> u64 {
        self.over.store(true, Ordering::Relaxed);
        let _ = self.watcher.join();
        self.peak.load(Ordering::Relaxed)
    }
}
