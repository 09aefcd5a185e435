
use schemes::registry::{Entry, KemSet};
use schemes::KemScheme;

static SET: Entry<Parameters> = Entry::new();

#[unsafe(no_mangle)]
unsafe extern "C" fn @SYMBOL@_keypair(pk: *mut u8, sk: *mut u8, random: RandomBytes) -> c_int {
    let Ok(pair) = SET.generate(&mut Generator(random)) else { return -1 };
    // SAFETY: the caller's buffers have the lengths of the set.
    unsafe {
        output(pk, &pair.public);
        output(sk, &pair.secret);
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn @SYMBOL@_enc(ct: *mut u8, ss: *mut u8, pk: *const u8, random: RandomBytes) -> c_int {
    let set: &dyn KemSet = &SET;
    let mut sealed = alloc::vec![0; set.ciphertext_len()];
    let mut secret = alloc::vec![0; set.shared_secret_len()];
    {
        // SAFETY: the caller's buffer has the length of the set.
        let public_key = unsafe { input(pk, Parameters::INFO.public_key) };
        if set.encapsulate(public_key, &mut Generator(random), &mut sealed, &mut secret).is_err() {
            return -1;
        }
    }
    // SAFETY: the caller's buffers have the lengths of the set.
    unsafe {
        output(ct, &sealed);
        output(ss, &secret);
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn @SYMBOL@_dec(ss: *mut u8, ct: *const u8, sk: *const u8) -> c_int {
    let set: &dyn KemSet = &SET;
    let mut secret = alloc::vec![0; set.shared_secret_len()];
    {
        // SAFETY: the caller's buffers have the lengths of the set.
        let (sealed, secret_key) =
            unsafe { (input(ct, set.ciphertext_len()), input(sk, Parameters::INFO.secret_key)) };
        if set.decapsulate(secret_key, sealed, &mut secret).is_err() {
            return -1;
        }
    }
    // SAFETY: the caller's buffer has the length of the set.
    unsafe { output(ss, &secret) };
    0
}
