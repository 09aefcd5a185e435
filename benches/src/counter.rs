//! The time-stamp counter, and how it relates to seconds and to core cycles.

use std::hint::black_box;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The counter before the measured code: nothing of the code starts before it is read.
#[inline(always)]
#[must_use]
pub fn start() -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_lfence, _rdtsc};
        // SAFETY: both instructions exist on every x86-64 CPU and touch no memory.
        unsafe {
            _mm_lfence();
            let ticks = _rdtsc();
            _mm_lfence();
            ticks
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    nanoseconds()
}

/// The counter after the measured code: all of the code has ended.
#[inline(always)]
#[must_use]
pub fn stop() -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{__rdtscp, _mm_lfence};
        let mut processor = 0;
        // SAFETY: RDTSCP exists on every x86-64 CPU that this project targets and writes to the local variable only.
        unsafe {
            let ticks = __rdtscp(&mut processor);
            _mm_lfence();
            ticks
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    nanoseconds()
}

/// Where there is no time-stamp counter a tick is a nanosecond.
#[cfg(not(target_arch = "x86_64"))]
fn nanoseconds() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// Wall time by CPU time above which a sample counts as interrupted.
const INTERRUPTED: f64 = 1.05;

/// A measurement that is under way. It reads the time-stamp counter and, outside of that, the CPU time of the thread: on a machine
/// that others use too, a sample during which the thread was stopped is replaced by its CPU time. Dropping it would favour short
/// calls, which are stopped less often.
pub struct Stopwatch {
    cpu: Duration,
    ticks: u64,
}

/// What a [`Stopwatch`] measured.
#[derive(Clone, Copy, Debug)]
pub struct Lap {
    /// Ticks.
    pub ticks: f64,
    /// Whether they come from the CPU time.
    pub interrupted: bool,
}

impl Stopwatch {
    /// Starts.
    #[inline(always)]
    #[must_use]
    pub fn start() -> Self {
        let cpu = thread_time();
        Self { cpu, ticks: start() }
    }

    /// Stops.
    #[inline(always)]
    #[must_use]
    pub fn stop(self) -> Lap {
        let ticks = (stop() - self.ticks) as f64;
        Lap::of(ticks, thread_time() - self.cpu)
    }
}

impl Lap {
    /// What counts of `ticks` during which the thread had `cpu` time.
    pub(crate) fn of(ticks: f64, cpu: Duration) -> Self {
        let cpu = cpu.as_secs_f64() * tick_rate();
        // Reading the clocks costs some hundred nanoseconds, which only counts for what is short.
        if ticks > INTERRUPTED * cpu + 5000.0 && cpu > 0.0 {
            return Self { ticks: cpu, interrupted: true };
        }
        Self { ticks, interrupted: false }
    }
}

/// CPU time of this thread.
pub(crate) fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Ticks in a second, measured once for at least 50 ms.
fn tick_rate() -> f64 {
    static RATE: OnceLock<f64> = OnceLock::new();
    *RATE.get_or_init(|| {
        let (instant, before) = (Instant::now(), start());
        while instant.elapsed() < Duration::from_millis(50) {
            std::hint::spin_loop();
        }
        (stop() - before) as f64 / instant.elapsed().as_secs_f64()
    })
}

/// Additions in one calibration.
const ADDITIONS: u64 = 400_000;

/// The rate of the counter, and calibrations of the core clock over the run.
pub struct Clock {
    instant: Instant,
    ticks: u64,
    cycles_per_tick: Vec<f64>,
}

impl Clock {
    /// Starts to measure the rate of the counter.
    #[must_use]
    pub fn start() -> Self {
        let mut clock = Self { instant: Instant::now(), ticks: start(), cycles_per_tick: Vec::new() };
        tick_rate();
        // The core has to reach its working frequency first.
        let warm = Instant::now();
        while warm.elapsed() < Duration::from_millis(30) {
            black_box(additions(black_box(1000)));
        }
        clock.calibrate();
        clock
    }

    /// Ticks of a chain of dependent additions, one core cycle each: the least of a few tries.
    pub fn calibrate(&mut self) {
        let least = (0..9)
            .map(|_| {
                let before = start();
                black_box(additions(black_box(ADDITIONS)));
                stop() - before
            })
            .min()
            .unwrap_or(ADDITIONS);
        self.cycles_per_tick.push(ADDITIONS as f64 / least as f64);
    }

    /// Core cycles in one tick: the median of the calibrations.
    #[must_use]
    pub fn core_cycles_per_tick(&self) -> f64 {
        measurements::Statistics::of(&self.cycles_per_tick).map_or(1.0, |statistics| statistics.median)
    }

    /// Largest by smallest calibration, less 1.
    #[must_use]
    pub fn spread(&self) -> f64 {
        let largest = self.cycles_per_tick.iter().copied().fold(0.0, f64::max);
        let smallest = self.cycles_per_tick.iter().copied().fold(f64::MAX, f64::min);
        largest / smallest - 1.0
    }

    /// Ticks in a second, measured over the whole run.
    #[must_use]
    pub fn ticks_per_second(&self) -> f64 {
        let elapsed = self.instant.elapsed();
        (stop() - self.ticks) as f64 / elapsed.as_secs_f64()
    }
}

/// `count` additions, each of which needs the sum of the one before.
#[inline(never)]
fn additions(count: u64) -> u64 {
    let (mut a, mut b) = (1u64, 2u64);
    for _ in 0..count / 16 {
        for _ in 0..8 {
            a = a.wrapping_add(b);
            b = b.wrapping_add(a);
        }
    }
    a
}
