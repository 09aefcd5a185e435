//! Heap and stack, with high-water marks.

use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicUsize, Ordering};

use embedded_alloc::LlffHeap;

/// Bytes of the heap.
const HEAP_SIZE: usize = 12 << 20;

/// A heap that remembers how much was in use at most.
struct MeasuredHeap {
    heap: LlffHeap,
    used: AtomicUsize,
    peak: AtomicUsize,
}

#[global_allocator]
static HEAP: MeasuredHeap =
    MeasuredHeap { heap: LlffHeap::empty(), used: AtomicUsize::new(0), peak: AtomicUsize::new(0) };

// SAFETY: the blocks are those of the inner heap; only sizes are counted.
unsafe impl GlobalAlloc for MeasuredHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let used = self.used.load(Ordering::Relaxed) + layout.size();
        self.used.store(used, Ordering::Relaxed);
        self.peak.store(self.peak.load(Ordering::Relaxed).max(used), Ordering::Relaxed);
        // SAFETY: passed on.
        unsafe { self.heap.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.used.store(self.used.load(Ordering::Relaxed) - layout.size(), Ordering::Relaxed);
        // SAFETY: passed on.
        unsafe { self.heap.dealloc(pointer, layout) }
    }
}

/// Makes the heap usable; to be called once, first.
pub fn start() {
    static mut MEMORY: [core::mem::MaybeUninit<u8>; HEAP_SIZE] =
        [core::mem::MaybeUninit::uninit(); HEAP_SIZE];
    // SAFETY: called once, before anything is allocated; nobody else names this memory.
    unsafe { HEAP.heap.init((&raw mut MEMORY) as usize, HEAP_SIZE) }
}

/// What one piece of work needed, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct HighWater {
    /// Heap above what was in use before.
    pub heap: usize,
    /// Stack below the frame of the caller.
    pub stack: usize,
}

/// Bytes below the current frame that are painted to see how deep the stack goes.
const PAINTED: usize = 512 << 10;
const PAINT: u8 = 0xa5;

/// Runs `work` and says how much memory it needed.
pub fn measure<R>(work: impl FnOnce() -> R) -> (R, HighWater) {
    let before = HEAP.used.load(Ordering::Relaxed);
    HEAP.peak.store(before, Ordering::Relaxed);
    let marker = 0u8;
    // Leaves the frame of this function itself alone.
    let top = (&raw const marker) as usize - 512;
    let bottom = top - PAINTED;
    for address in bottom..top {
        // SAFETY: the stack grows down from the end of a 16 MiB RAM, the heap and the statics lie at its start: this is free stack.
        unsafe { (address as *mut u8).write_volatile(PAINT) };
    }
    let result = work();
    // SAFETY: as above; bytes of the stack may be read.
    let untouched =
        (bottom..top).take_while(|&address| unsafe { (address as *const u8).read_volatile() } == PAINT);
    let stack = PAINTED - untouched.count();
    (result, HighWater { heap: HEAP.peak.load(Ordering::Relaxed) - before, stack })
}
