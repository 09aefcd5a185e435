//! What the search for roots leaves in freed memory: no element of the field, as an allocator sees that looks at every block.

#![allow(clippy::expect_used, reason = "a failure ends the test")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gf2n::Gf2n;
use gf2x_roots::hfe::HfePolynomial;

static WATCHING: AtomicBool = AtomicBool::new(false);
static FOUND: AtomicUsize = AtomicUsize::new(0);

struct Watching;

/// Counts the blocks with an aligned word that is too large for a number, a length or an address.
fn look(pointer: *const u8, layout: Layout) {
    if !WATCHING.load(Ordering::Relaxed) || layout.align() < 8 {
        return;
    }
    // SAFETY: the block is allocated until the caller frees it, all of it initialised by `alloc`, and aligned to 8 bytes.
    let words = unsafe { core::slice::from_raw_parts(pointer.cast::<u64>(), layout.size() / 8) };
    if words.iter().any(|word| word >> 48 != 0) {
        FOUND.fetch_add(1, Ordering::Relaxed);
    }
}

// SAFETY: every call is passed on to the system's allocator with the arguments that were given.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller. Zeros, so that `look` reads nothing undefined.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        look(pointer, layout);
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }
    // `realloc` is the trait's: a new block, and the old one freed
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// The number of freed blocks with contents while `operation` runs.
fn residues(operation: impl FnOnce()) -> usize {
    let before = FOUND.load(Ordering::Relaxed);
    WATCHING.store(true, Ordering::Relaxed);
    operation();
    WATCHING.store(false, Ordering::Relaxed);
    FOUND.load(Ordering::Relaxed) - before
}

type Field = Gf2n<192, 3>;

/// One test, as the allocator is the process's.
#[test]
fn freed_memory_holds_no_elements() {
    assert_eq!(residues(|| drop(vec![u64::MAX; 3])), 1, "the allocator sees what is freed");

    let mut state = 1u64;
    let mut word = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        state ^ state >> 29
    };
    let mut element = || Field::from_limbs_truncated(core::array::from_fn(|_| word()));
    let mut most = 0;
    for (high, low) in [(4, 0), (5, 0), (6, 3), (7, 5), (9, 0), (9, 7)] {
        for _ in 0..20 {
            let linear = (0..=high).map(|_| element()).collect();
            let quadratic =
                (0..HfePolynomial::<192, 3>::quadratic_len(high, low)).map(|_| element()).collect();
            let polynomial = HfePolynomial::<192, 3>::new(high, low, element(), linear, quadratic)
                .expect("the shape fits");
            let mut roots = Vec::new();
            let left = residues(|| roots = polynomial.roots());
            assert_eq!(left, 0, "I = {high}, J = {low}, {} roots", roots.len());
            assert_eq!(residues(|| assert_eq!(polynomial.count_roots(), roots.len())), 0);
            assert_eq!(residues(|| assert_eq!(polynomial.unique_root().is_some(), roots.len() == 1)), 0);
            most = most.max(roots.len());
            assert_eq!(residues(|| drop(polynomial)), 0, "the polynomial wipes itself");
        }
    }
    assert!(most > 3, "some product was cut by traces");
}
