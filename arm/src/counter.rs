//! Instructions executed, from the SysTick timer of an emulator that advances time by one nanosecond an instruction.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;

/// Instructions in one tick of the 25 MHz processor clock.
pub const INSTRUCTIONS_PER_TICK: u64 = 40;
/// The timer counts down from here and starts again.
const RELOAD: u32 = 0x00ff_ffff;

static WRAPS: AtomicU32 = AtomicU32::new(0);

#[exception]
fn SysTick() {
    WRAPS.store(WRAPS.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

/// Starts the timer; false if it was started before.
#[must_use]
pub fn start() -> bool {
    let Some(peripherals) = cortex_m::Peripherals::take() else { return false };
    let mut timer = peripherals.SYST;
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(RELOAD);
    timer.clear_current();
    timer.enable_interrupt();
    timer.enable_counter();
    true
}

/// Ticks since the start.
fn ticks() -> u64 {
    loop {
        let wraps = WRAPS.load(Ordering::Relaxed);
        let count = SYST::get_current();
        if wraps == WRAPS.load(Ordering::Relaxed) {
            return u64::from(wraps) * (u64::from(RELOAD) + 1) + u64::from(RELOAD - count);
        }
    }
}

/// Runs `work` and counts its instructions, to within a tick.
pub fn measure<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let start = ticks();
    let result = work();
    (result, (ticks() - start) * INSTRUCTIONS_PER_TICK)
}
