//! What the firmware programs share: heap and stack with their high-water marks, output, instruction counter, the generator.
#![no_std]

extern crate alloc;

mod backend;
pub mod counter;
pub mod primitives;

pub use backend::memory;

use schemes::registry::{self, Set, SignatureSet};

/// Prints to the host that runs the emulator.
#[macro_export]
macro_rules! say {
    ($($argument:tt)*) => { cortex_m_semihosting::hprintln!($($argument)*) };
}

/// Ends the emulation.
pub fn leave(success: bool) -> ! {
    use cortex_m_semihosting::debug::{EXIT_FAILURE, EXIT_SUCCESS, exit};
    exit(if success { EXIT_SUCCESS } else { EXIT_FAILURE });
    loop {
        cortex_m::asm::wfi();
    }
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    say!("panic: {}", info);
    leave(false)
}

/// The signature set of this name.
#[must_use]
pub fn signature_set(name: &str) -> &'static dyn SignatureSet {
    match registry::find(name) {
        Ok(Set::Signature(set)) => set,
        _ => {
            say!("no signature set is called {}", name);
            leave(false)
        }
    }
}
