//! Where the randomness comes from: the operating system, or a function of the caller.

use core::ffi::c_int;
use std::sync::RwLock;

use rand_core::{TryCryptoRng, TryRng};

/// A generator of the caller: fills `length` bytes and returns 0, or returns something else on failure.
pub type RandomBytes = unsafe extern "C" fn(destination: *mut u8, length: usize) -> c_int;

static CALLER: RwLock<Option<RandomBytes>> = RwLock::new(None);

/// Replaces the operating system's generator by `function` for all later calls of the process; null restores it.
///
/// # Safety
/// `function` writes `length` bytes whenever it returns 0, and may be called from any thread that calls this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_set_randombytes(function: Option<RandomBytes>) {
    match CALLER.write() {
        Ok(mut caller) => *caller = function,
        Err(poisoned) => *poisoned.into_inner() = function,
    }
}

/// The generator failed.
#[derive(Debug)]
pub(crate) struct GeneratorFailed;

impl core::fmt::Display for GeneratorFailed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the random generator failed")
    }
}

impl core::error::Error for GeneratorFailed {}

/// The generator in force.
pub(crate) struct Generator {
    caller: Option<RandomBytes>,
}

impl Generator {
    pub(crate) fn current() -> Self {
        let caller = match CALLER.read() {
            Ok(caller) => *caller,
            Err(poisoned) => *poisoned.into_inner(),
        };
        Self { caller }
    }
}

impl TryRng for Generator {
    type Error = GeneratorFailed;

    fn try_next_u32(&mut self) -> Result<u32, GeneratorFailed> {
        let mut word = [0; 4];
        self.try_fill_bytes(&mut word)?;
        Ok(u32::from_le_bytes(word))
    }

    fn try_next_u64(&mut self) -> Result<u64, GeneratorFailed> {
        let mut word = [0; 8];
        self.try_fill_bytes(&mut word)?;
        Ok(u64::from_le_bytes(word))
    }

    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), GeneratorFailed> {
        let Some(function) = self.caller else {
            return getrandom::fill(destination).map_err(|_| GeneratorFailed);
        };
        // SAFETY: `mqsuite_set_randombytes` demands a function that writes at most `length` bytes.
        match unsafe { function(destination.as_mut_ptr(), destination.len()) } {
            0 => Ok(()),
            _ => Err(GeneratorFailed),
        }
    }
}

impl TryCryptoRng for Generator {}
