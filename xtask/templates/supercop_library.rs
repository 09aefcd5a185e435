//! One parameter set of mqsuite behind a C interface, for a package of SUPERCOP: no standard library, memory from the C
//! library, randomness from a function that the C side passes in.
#![no_std]

extern crate alloc;

use core::alloc::{GlobalAlloc, Layout};
use core::ffi::{c_int, c_ulonglong};

use schemes::@FAMILY@::@TYPE@ as Parameters;

unsafe extern "C" {
    fn aligned_alloc(alignment: usize, size: usize) -> *mut u8;
    fn free(pointer: *mut u8);
    fn abort() -> !;
}

struct CAllocator;

// SAFETY: `aligned_alloc` gives blocks of the asked size and alignment or null, and `free` takes them back.
unsafe impl GlobalAlloc for CAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let alignment = layout.align().max(16);
        // SAFETY: the alignment is a power of two and divides the size.
        unsafe { aligned_alloc(alignment, layout.size().next_multiple_of(alignment)) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
        // SAFETY: the pointer came from `alloc`.
        unsafe { free(pointer) }
    }
}

#[global_allocator]
static ALLOCATOR: CAllocator = CAllocator;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: no precondition.
    unsafe { abort() }
}

/// SUPERCOP's `randombytes`.
type RandomBytes = unsafe extern "C" fn(*mut u8, c_ulonglong);

struct Generator(RandomBytes);

impl rand_core::TryRng for Generator {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut word = [0; 4];
        self.try_fill_bytes(&mut word)?;
        Ok(u32::from_le_bytes(word))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut word = [0; 8];
        self.try_fill_bytes(&mut word)?;
        Ok(u64::from_le_bytes(word))
    }

    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), Self::Error> {
        // SAFETY: the buffer has that many writable bytes.
        unsafe { (self.0)(destination.as_mut_ptr(), destination.len() as c_ulonglong) };
        Ok(())
    }
}

impl rand_core::TryCryptoRng for Generator {}

/// # Safety
/// `pointer` has `length` readable bytes, or `length` is 0.
unsafe fn input<'a>(pointer: *const u8, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: promised by the caller.
    unsafe { core::slice::from_raw_parts(pointer, length) }
}

/// # Safety
/// `pointer` has room for `bytes`, and nothing there is borrowed.
unsafe fn output(pointer: *mut u8, bytes: &[u8]) {
    // SAFETY: promised by the caller.
    unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), pointer, bytes.len()) }
}
