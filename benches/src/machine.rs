//! The machine that a run was made on.

use measurements::{Machine, Plan};

use crate::counter::Clock;

/// Keeps the thread on the CPU it runs on, where the system allows it.
pub fn pin_to_one_cpu() {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};
        let mut set = CpuSet::new();
        set.set(sched_getcpu());
        // Measurements are noisier without it, and still right.
        let _ = sched_setaffinity(None, &set);
    }
}

pub(crate) fn describe(clock: &Clock, plan: &Plan) -> Machine {
    Machine {
        cpu: cpu_name(),
        ticks_per_second: clock.ticks_per_second(),
        core_cycles_per_tick: clock.core_cycles_per_tick(),
        calibration_spread: clock.spread(),
        backend: gf2n::backend::ceiling().name().to_owned(),
        build: plan.build.clone(),
        date: measurements::today(),
    }
}

fn cpu_name() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    text.lines()
        .find_map(|line| {
            line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name.trim().to_owned())
        })
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
