//! The NIST and SUPERCOP calls, with the name of the set before the customary arguments. Fixed lengths are those of the set.

use core::ffi::{c_char, c_int, c_ulonglong};

use crate::code::{self, Failure, guard};
use crate::kem::{mqsuite_decapsulate, mqsuite_encapsulate};
use crate::memory::{input, output};
use crate::random::Generator;
use crate::set::{find_kem, find_signature};
use crate::sign::mqsuite_keypair;

/// Writes an output length.
///
/// # Safety
/// `pointer` is writable.
unsafe fn write_length(pointer: *mut c_ulonglong, length: usize) {
    // SAFETY: promised by the caller; C gives no promise of alignment worth relying on.
    unsafe { pointer.write_unaligned(length as c_ulonglong) }
}

fn to_usize(length: c_ulonglong) -> Result<usize, Failure> {
    usize::try_from(length).map_err(|_| Failure(code::LENGTH))
}

/// `crypto_sign_keypair` of the set `name`.
///
/// # Safety
/// `name` is null or a C string; the buffers are null or have the lengths of the set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_crypto_sign_keypair(name: *const c_char, pk: *mut u8, sk: *mut u8) -> c_int {
    // SAFETY: promised by the caller.
    match unsafe { find_signature(name) } {
        // SAFETY: as above; the lengths are those of the set.
        Ok(set) => unsafe { mqsuite_keypair(name, pk, set.info().public_key, sk, set.info().secret_key) },
        Err(Failure(code)) => code,
    }
}

/// `crypto_sign` of the set `name`: writes signature and message in the set's own order.
///
/// # Safety
/// `name` is null or a C string; `m` has `mlen` readable bytes, `sk` the length of the set, `sm` room for `mlen` plus a signature; `sm`
/// may overlap the inputs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_crypto_sign(
    name: *const c_char,
    sm: *mut u8,
    smlen: *mut c_ulonglong,
    m: *const u8,
    mlen: c_ulonglong,
    sk: *const u8,
) -> c_int {
    guard(|| {
        // SAFETY: promised by the caller.
        let set = unsafe { find_signature(name) }?;
        if sm.is_null() || smlen.is_null() {
            return Err(Failure(code::NULL));
        }
        let mut signature = vec![0; set.signature_len()];
        let joined = {
            // SAFETY: promised by the caller; nothing is written while these are borrowed.
            let (message, secret_key) =
                unsafe { (input(m, to_usize(mlen)?)?, input(sk, set.info().secret_key)?) };
            set.sign_once(secret_key, message, &mut Generator::current(), &mut signature)?;
            set.join(&signature, message)
        };
        // SAFETY: the caller promises the room, and no input is borrowed any more.
        unsafe {
            output(sm, &joined);
            write_length(smlen, joined.len());
        }
        Ok(())
    })
}

/// `crypto_sign_open` of the set `name`. On error neither `m` nor `mlen` is written.
///
/// # Safety
/// `name` is null or a C string; `sm` has `smlen` readable bytes, `pk` the length of the set, `m` room for the message; `m` may overlap
/// the inputs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_crypto_sign_open(
    name: *const c_char,
    m: *mut u8,
    mlen: *mut c_ulonglong,
    sm: *const u8,
    smlen: c_ulonglong,
    pk: *const u8,
) -> c_int {
    guard(|| {
        // SAFETY: promised by the caller.
        let set = unsafe { find_signature(name) }?;
        if mlen.is_null() {
            return Err(Failure(code::NULL));
        }
        let message = {
            // SAFETY: promised by the caller; nothing is written while these are borrowed.
            let (signed_message, public_key) =
                unsafe { (input(sm, to_usize(smlen)?)?, input(pk, set.info().public_key)?) };
            set.open(public_key, signed_message)?.to_vec()
        };
        if m.is_null() && !message.is_empty() {
            return Err(Failure(code::NULL));
        }
        // SAFETY: the caller promises the room, and no input is borrowed any more.
        unsafe {
            if !message.is_empty() {
                output(m, &message);
            }
            write_length(mlen, message.len());
        }
        Ok(())
    })
}

/// `crypto_kem_keypair` of the set `name`.
///
/// # Safety
/// `name` is null or a C string; the buffers are null or have the lengths of the set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_crypto_kem_keypair(name: *const c_char, pk: *mut u8, sk: *mut u8) -> c_int {
    // SAFETY: promised by the caller.
    match unsafe { find_kem(name) } {
        // SAFETY: as above; the lengths are those of the set.
        Ok(set) => unsafe { mqsuite_keypair(name, pk, set.info().public_key, sk, set.info().secret_key) },
        Err(Failure(code)) => code,
    }
}

/// `crypto_kem_enc` of the set `name`.
///
/// # Safety
/// `name` is null or a C string; the buffers are null or have the lengths of the set; they may overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_crypto_kem_enc(
    name: *const c_char,
    ct: *mut u8,
    ss: *mut u8,
    pk: *const u8,
) -> c_int {
    // SAFETY: promised by the caller.
    match unsafe { find_kem(name) } {
        // SAFETY: as above; the lengths are those of the set.
        Ok(set) => unsafe {
            let (ct_length, ss_length) = (set.ciphertext_len(), set.shared_secret_len());
            mqsuite_encapsulate(name, ct, ct_length, ss, ss_length, pk, set.info().public_key)
        },
        Err(Failure(code)) => code,
    }
}

/// `crypto_kem_dec` of the set `name`.
///
/// # Safety
/// `name` is null or a C string; the buffers are null or have the lengths of the set; they may overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_crypto_kem_dec(
    name: *const c_char,
    ss: *mut u8,
    ct: *const u8,
    sk: *const u8,
) -> c_int {
    // SAFETY: promised by the caller.
    match unsafe { find_kem(name) } {
        // SAFETY: as above; the lengths are those of the set.
        Ok(set) => unsafe {
            let (ss_length, ct_length) = (set.shared_secret_len(), set.ciphertext_len());
            mqsuite_decapsulate(name, ss, ss_length, ct, ct_length, sk, set.info().secret_key)
        },
        Err(Failure(code)) => code,
    }
}
