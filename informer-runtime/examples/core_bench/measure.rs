//! What a piece of work costs this process: time, processor time, memory.

use rustix::time::{ClockId, clock_gettime};
use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Processor time that all threads of this process have used.
pub(crate) fn process_cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
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
        let (wall, cpu) = (self.wall.elapsed(), process_cpu() - self.cpu);
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
