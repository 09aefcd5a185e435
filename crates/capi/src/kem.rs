//! Checked calls: encapsulation and decapsulation.

use core::ffi::{c_char, c_int};

use zeroize::Zeroizing;

use crate::code::guard;
use crate::memory::{check_output, input, output};
use crate::random::Generator;
use crate::set::find_kem;

/// Encapsulates to a public key of the set `name`.
///
/// # Safety
/// `name` is null or a C string; each buffer is null or has its length in readable (outputs: writable) bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_encapsulate(
    name: *const c_char,
    ciphertext: *mut u8,
    ciphertext_length: usize,
    shared_secret: *mut u8,
    shared_secret_length: usize,
    public_key: *const u8,
    public_key_length: usize,
) -> c_int {
    guard(|| {
        // SAFETY: promised by the caller.
        let set = unsafe { find_kem(name) }?;
        check_output(ciphertext, ciphertext_length, set.ciphertext_len())?;
        check_output(shared_secret, shared_secret_length, set.shared_secret_len())?;
        let mut sealed = vec![0; ciphertext_length];
        let mut secret = Zeroizing::new(vec![0; shared_secret_length]);
        {
            // SAFETY: promised by the caller; nothing is written while it is borrowed.
            let public_key = unsafe { input(public_key, public_key_length) }?;
            set.encapsulate(public_key, &mut Generator::current(), &mut sealed, &mut secret)?;
        }
        // SAFETY: the lengths were checked, and no input is borrowed any more.
        unsafe {
            output(ciphertext, &sealed);
            output(shared_secret, &secret);
        }
        Ok(())
    })
}

/// Decapsulates a ciphertext of the set `name`. A well-formed ciphertext that nobody made gives the implicit-rejection secret.
///
/// # Safety
/// `name` is null or a C string; each buffer is null or has its length in readable (`shared_secret`: writable) bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqsuite_decapsulate(
    name: *const c_char,
    shared_secret: *mut u8,
    shared_secret_length: usize,
    ciphertext: *const u8,
    ciphertext_length: usize,
    secret_key: *const u8,
    secret_key_length: usize,
) -> c_int {
    guard(|| {
        // SAFETY: promised by the caller.
        let set = unsafe { find_kem(name) }?;
        check_output(shared_secret, shared_secret_length, set.shared_secret_len())?;
        let mut secret = Zeroizing::new(vec![0; shared_secret_length]);
        {
            // SAFETY: promised by the caller; nothing is written while these are borrowed.
            let (ciphertext, secret_key) =
                unsafe { (input(ciphertext, ciphertext_length)?, input(secret_key, secret_key_length)?) };
            set.decapsulate(secret_key, ciphertext, &mut secret)?;
        }
        // SAFETY: the length was checked, and no input is borrowed any more.
        unsafe { output(shared_secret, &secret) };
        Ok(())
    })
}
