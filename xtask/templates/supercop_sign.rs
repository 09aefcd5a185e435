
use schemes::registry::{Entry, SignatureSet};
use schemes::SignatureScheme;

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
unsafe extern "C" fn @SYMBOL@_sign(
    sm: *mut u8,
    smlen: *mut c_ulonglong,
    m: *const u8,
    mlen: c_ulonglong,
    sk: *const u8,
    random: RandomBytes,
) -> c_int {
    let set: &dyn SignatureSet = &SET;
    let mut signature = alloc::vec![0; set.signature_len()];
    let joined = {
        // SAFETY: the caller's buffers have these lengths.
        let (message, secret_key) = unsafe { (input(m, mlen as usize), input(sk, Parameters::INFO.secret_key)) };
        if set.sign_once(secret_key, message, &mut Generator(random), &mut signature).is_err() {
            return -1;
        }
        set.join(&signature, message)
    };
    // SAFETY: `sm` has room for message and signature.
    unsafe {
        output(sm, &joined);
        smlen.write_unaligned(joined.len() as c_ulonglong);
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn @SYMBOL@_open(
    m: *mut u8,
    mlen: *mut c_ulonglong,
    sm: *const u8,
    smlen: c_ulonglong,
    pk: *const u8,
) -> c_int {
    let set: &dyn SignatureSet = &SET;
    let message = {
        // SAFETY: the caller's buffers have these lengths.
        let (signed, public_key) = unsafe { (input(sm, smlen as usize), input(pk, Parameters::INFO.public_key)) };
        match set.open(public_key, signed) {
            Ok(message) => message.to_vec(),
            Err(_) => return -1,
        }
    };
    // SAFETY: `m` has room for the message.
    unsafe {
        output(m, &message);
        mlen.write_unaligned(message.len() as c_ulonglong);
    }
    0
}
