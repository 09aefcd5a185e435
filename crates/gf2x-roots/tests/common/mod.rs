//! An allocator that looks at every block that is freed.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static WATCHING: AtomicBool = AtomicBool::new(false);
static FOUND: AtomicUsize = AtomicUsize::new(0);

struct Watching;

/// Counts the blocks with a word that is too large for a number, a length or an address.
fn look(pointer: *const u8, layout: Layout) {
    if !WATCHING.load(Ordering::Relaxed) {
        return;
    }
    // SAFETY: the block is allocated until the caller frees it, and all of it was initialised by `alloc`.
    let bytes = unsafe { core::slice::from_raw_parts(pointer, layout.size()) };
    if bytes.as_chunks::<8>().0.iter().any(|word| u64::from_le_bytes(*word) >> 48 != 0) {
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

/// The number of freed blocks with contents while `operation` runs. One test of a process at a time.
pub(crate) fn residues(operation: impl FnOnce()) -> usize {
    let before = FOUND.load(Ordering::Relaxed);
    WATCHING.store(true, Ordering::Relaxed);
    operation();
    WATCHING.store(false, Ordering::Relaxed);
    FOUND.load(Ordering::Relaxed) - before
}
