//! Between C pointers and slices. Inputs are borrowed; outputs are computed elsewhere and copied at the end, when no input is
//! borrowed any more, so that they may overlap.

use core::ffi::{CStr, c_char};

use crate::code::{self, Failure};

/// A C string as text.
///
/// # Safety
/// `name` is null or points to a C string that lives through `'a`.
pub(crate) unsafe fn text<'a>(name: *const c_char) -> Result<&'a str, Failure> {
    if name.is_null() {
        return Err(Failure(code::NULL));
    }
    // SAFETY: not null, and the caller promises a C string.
    unsafe { CStr::from_ptr(name) }.to_str().map_err(|_| Failure(code::UNKNOWN_SET))
}

/// Input bytes; a null pointer stands for no bytes if the length is 0.
///
/// # Safety
/// `pointer` is null or points to `length` readable bytes that nobody writes through `'a`.
pub(crate) unsafe fn input<'a>(pointer: *const u8, length: usize) -> Result<&'a [u8], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Failure(code::NULL));
    }
    if length > isize::MAX as usize {
        return Err(Failure(code::LENGTH));
    }
    // SAFETY: not null, a possible length, and the caller promises readable bytes.
    Ok(unsafe { core::slice::from_raw_parts(pointer, length) })
}

/// Refuses an output buffer that is null or has another length than the bytes that go into it.
pub(crate) fn check_output(pointer: *mut u8, length: usize, expected: usize) -> Result<(), Failure> {
    if length != expected {
        return Err(Failure(code::LENGTH));
    }
    if pointer.is_null() { Err(Failure(code::NULL)) } else { Ok(()) }
}

/// Writes a result.
///
/// # Safety
/// `pointer` points to `bytes.len()` writable bytes, none of them borrowed.
pub(crate) unsafe fn output(pointer: *mut u8, bytes: &[u8]) {
    // SAFETY: the caller promises writable bytes; `bytes` is memory of this library, so the two do not overlap.
    unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), pointer, bytes.len()) }
}
