//! Looking sets up: by name, by index, their sizes.

use core::ffi::{c_char, c_int};

use schemes::registry::{self, KemSet, Set, SignatureSet};
use schemes::{SignedMessageOrder, Sizes};

use crate::code::{self, Failure, guard};
use crate::memory::text;

/// # Safety
/// `name` is null or a C string.
unsafe fn find(name: *const c_char) -> Result<Set, Failure> {
    // SAFETY: passed on to the caller.
    registry::find(unsafe { text(name) }?).map_err(|_| Failure(code::UNKNOWN_SET))
}

/// # Safety
/// `name` is null or a C string.
pub(crate) unsafe fn find_signature(name: *const c_char) -> Result<&'static dyn SignatureSet, Failure> {
    // SAFETY: passed on to the caller.
    match unsafe { find(name) }? {
        Set::Signature(set) => Ok(set),
        Set::Kem(_) => Err(Failure(code::WRONG_KIND)),
    }
}

/// # Safety
/// `name` is null or a C string.
pub(crate) unsafe fn find_kem(name: *const c_char) -> Result<&'static dyn KemSet, Failure> {
    // SAFETY: passed on to the caller.
    match unsafe { find(name) }? {
        Set::Kem(set) => Ok(set),
        Set::Signature(_) => Err(Failure(code::WRONG_KIND)),
    }
}

/// The lengths of a set in bytes; those that do not apply are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetSizes {
    /// Public key.
    pub public_key: usize,
    /// Secret key.
    pub secret_key: usize,
    /// Signature.
    pub signature: usize,
    /// Ciphertext of a KEM.
    pub ciphertext: usize,
    /// Shared secret of a KEM.
    pub shared_secret: usize,
    /// 1 where a signed message begins with the message, 0 where it begins with the signature.
    pub message_first: usize,
}

impl SetSizes {
    pub(crate) fn of(set: Set) -> Self {
        let info = set.info();
        let keys = Self { public_key: info.public_key, secret_key: info.secret_key, ..Self::default() };
        match info.sizes {
            Sizes::Signature { signature, order } => Self {
                signature,
                message_first: usize::from(order == SignedMessageOrder::MessageFirst),
                ..keys
            },
            Sizes::Kem { ciphertext, shared_secret } => Self { ciphertext, shared_secret, ..keys },
        }
    }
}

/// Writes the lengths of the set `name` to `sizes`.
///
/// # Safety
/// `name` is null or a C string; `sizes` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_sizes(name: *const c_char, sizes: *mut SetSizes) -> c_int {
    guard(|| {
        // SAFETY: promised by the caller.
        let found = SetSizes::of(unsafe { find(name) }?);
        if sizes.is_null() {
            return Err(Failure(code::NULL));
        }
        // SAFETY: not null, and writable as promised by the caller.
        unsafe { sizes.write(found) };
        Ok(())
    })
}

/// Writes the name of set number `index` (from 0, in the order of the registry) and a terminating zero to the `length` bytes at
/// `name`; `MQSUITE_ERROR_UNKNOWN_SET` past the last set, `MQSUITE_ERROR_LENGTH` if the name does not fit (64 bytes always do).
///
/// # Safety
/// `name` is null or points to `length` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_set_name(index: usize, name: *mut c_char, length: usize) -> c_int {
    guard(|| {
        let set = registry::all().nth(index).ok_or(Failure(code::UNKNOWN_SET))?;
        let bytes = set.info().name.as_bytes();
        if name.is_null() {
            return Err(Failure(code::NULL));
        }
        if bytes.len() >= length {
            return Err(Failure(code::LENGTH));
        }
        // SAFETY: the name and its terminator fit into the writable bytes that the caller promises.
        unsafe {
            core::ptr::copy_nonoverlapping(bytes.as_ptr().cast(), name, bytes.len());
            name.add(bytes.len()).write(0);
        }
        Ok(())
    })
}
