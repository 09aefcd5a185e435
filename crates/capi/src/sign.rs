//! Checked calls: key pairs of either kind, signatures.

use core::ffi::{c_char, c_int};

use schemes::KeyPairBytes;
use schemes::registry::Set;

use crate::code::{Failure, guard};
use crate::memory::{check_output, input, output, text};
use crate::random::Generator;
use crate::set::find_signature;

/// Makes a key pair of the set `name`, which may be of either kind.
///
/// # Safety
/// `name` is null or a C string; each buffer is null or has its length in writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_keypair(
    name: *const c_char,
    public_key: *mut u8,
    public_key_length: usize,
    secret_key: *mut u8,
    secret_key_length: usize,
) -> c_int {
    guard(|| {
        // SAFETY: promised by the caller.
        let name = unsafe { text(name) }?;
        let set = schemes::registry::find(name).map_err(|_| Failure(crate::code::UNKNOWN_SET))?;
        check_output(public_key, public_key_length, set.info().public_key)?;
        check_output(secret_key, secret_key_length, set.info().secret_key)?;
        let random = &mut Generator::current();
        let KeyPairBytes { public, secret } = match set {
            Set::Signature(set) => set.generate(random),
            Set::Kem(set) => set.generate(random),
        }?;
        // SAFETY: the lengths were checked against the buffers that the caller promises.
        unsafe {
            output(public_key, &public);
            output(secret_key, &secret);
        }
        Ok(())
    })
}

/// Signs a message with a secret key of the set `name`.
///
/// # Safety
/// `name` is null or a C string; each buffer is null or has its length in readable (`signature`: writable) bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_sign(
    name: *const c_char,
    signature: *mut u8,
    signature_length: usize,
    message: *const u8,
    message_length: usize,
    secret_key: *const u8,
    secret_key_length: usize,
) -> c_int {
    guard(|| {
        // SAFETY: promised by the caller.
        let set = unsafe { find_signature(name) }?;
        check_output(signature, signature_length, set.signature_len())?;
        let mut result = vec![0; signature_length];
        {
            // SAFETY: promised by the caller; nothing is written while these are borrowed.
            let (message, secret_key) =
                unsafe { (input(message, message_length)?, input(secret_key, secret_key_length)?) };
            set.sign_once(secret_key, message, &mut Generator::current(), &mut result)?;
        }
        // SAFETY: the length was checked, and no input is borrowed any more.
        unsafe { output(signature, &result) };
        Ok(())
    })
}

/// Verifies a signature of the set `name`.
///
/// # Safety
/// `name` is null or a C string; each buffer is null or has its length in readable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_verify(
    name: *const c_char,
    signature: *const u8,
    signature_length: usize,
    message: *const u8,
    message_length: usize,
    public_key: *const u8,
    public_key_length: usize,
) -> c_int {
    guard(|| {
        // SAFETY: promised by the caller; nothing is written at all.
        let (set, signature, message, public_key) = unsafe {
            (
                find_signature(name)?,
                input(signature, signature_length)?,
                input(message, message_length)?,
                input(public_key, public_key_length)?,
            )
        };
        Ok(set.verify_once(public_key, message, signature)?)
    })
}
