//! How much memory the operations take: what they allocate beside their inputs, outputs included, counted by an allocator.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that tells what it measured"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use kat_vectors::NistDrbg;
use schemes::registry::{self, Set};

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

fn took(bytes: usize) {
    let held = HELD.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(held, Ordering::Relaxed);
}

// SAFETY: every call is passed on to the system's allocator with the arguments that were given.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as promised by the caller.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // the worst case: the old block lives until its contents are copied
        took(size);
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as promised by the caller.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs `operation`; gives its result and the most bytes that it held at a time.
fn measured<T>(operation: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = operation();
    (result, PEAK.load(Ordering::Relaxed) - before)
}

/// Megabytes of 2^20 bytes, rounded up.
fn mebibytes(bytes: usize) -> usize {
    bytes.div_ceil(1 << 20)
}

/// The bound for every operation in 2^20 bytes, but for key generation of DualModeMS256: its secret key alone has 42.
const BOUND: usize = 64;
const BOUND_FOR_LARGEST_KEYS: usize = 72;

/// One test, as the counters are the process's. The large sets of each family; the others of a family have smaller objects of the
/// same kinds.
#[test]
fn operations_take_little_memory() {
    for name in [
        "gemss256-r3",
        "gemss256-r2",
        "redgemss256-r2v2",
        "fgemss256-r3",
        "gui448",
        "OV-V-r3",
        "OV-V-pkc-skc-r3",
        "MAYO-5-r2",
        "MAYO-v7m-orig-1",
        "qruov5q7L10v1490m190-shake",
        "QRUOV-5q127L3-aes",
        "mceliece8192128pcf",
        "DualModeMS128F",
        "DualModeMS256",
    ] {
        let mut random = NistDrbg::of_request_files();
        let mut message = [0; 33];
        random.generate(&mut message);
        let found = registry::find(name).unwrap_or_else(|error| panic!("{error}"));
        let peaks = match found {
            Set::Signature(set) => {
                let (pair, keys) = measured(|| set.generate(&mut random));
                let pair = pair.expect("a key pair");
                let mut signature = vec![0; set.signature_len()];
                let (signed, signing) =
                    measured(|| set.sign_once(&pair.secret, &message, &mut random, &mut signature));
                signed.expect("a signature");
                let (opened, verifying) = measured(|| set.verify_once(&pair.public, &message, &signature));
                opened.expect("a valid signature");
                [keys, signing, verifying]
            }
            Set::Kem(set) => {
                let (pair, keys) = measured(|| set.generate(&mut random));
                let pair = pair.expect("a key pair");
                let mut ciphertext = vec![0; set.ciphertext_len()];
                let (mut sent, mut received) =
                    (vec![0; set.shared_secret_len()], vec![0; set.shared_secret_len()]);
                let (made, encapsulating) =
                    measured(|| set.encapsulate(&pair.public, &mut random, &mut ciphertext, &mut sent));
                made.expect("a ciphertext");
                let (opened, decapsulating) =
                    measured(|| set.decapsulate(&pair.secret, &ciphertext, &mut received));
                opened.expect("a well-formed ciphertext");
                assert_eq!(sent, received, "{name}");
                [keys, encapsulating, decapsulating]
            }
        };
        println!("{name}: {:?} MiB", peaks.map(mebibytes));
        let keys = if name == "DualModeMS256" { BOUND_FOR_LARGEST_KEYS } else { BOUND };
        for (peak, bound) in peaks.into_iter().zip([keys, BOUND, BOUND]) {
            assert!(mebibytes(peak) <= bound, "{name}: {peaks:?} bytes");
        }
    }
}
