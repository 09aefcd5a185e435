//! A file of a toy passes, and every change of it is found.

use kat_vectors::request::Requests;
use schemes::registry::Set;

use super::check_bytes;
use crate::answers;
use crate::toy::{ToyKem, ToySign};

fn file(set: Set, counts: usize) -> String {
    let mut bytes = b"# TOY\n\n".to_vec();
    for request in Requests::new(answers::kind(set)).take(counts) {
        answers::answer(set, request).expect("toy").write(&mut bytes).expect("memory");
        bytes.push(b'\n');
    }
    String::from_utf8(bytes).expect("text")
}

fn field<'t>(text: &'t str, name: &str) -> &'t str {
    let start = text.find(&format!("\n{name} = ")).expect("field") + name.len() + 4;
    text[start..].lines().next().expect("line")
}

fn passes(text: &str, set: Set) -> bool {
    check_bytes("test", text.as_bytes(), Some(set)).expect("a set is given").passed()
}

#[test]
fn whole_files_pass_and_every_changed_field_is_found() {
    for (set, names) in [
        (ToySign::SET, &["seed", "mlen", "msg", "pk", "sk", "smlen", "sm"][..]),
        (ToyKem::<false>::SET, &["seed", "pk", "sk", "ct", "ss"]),
    ] {
        let text = file(set, 3);
        let report = check_bytes("test", text.as_bytes(), Some(set)).expect("a set is given");
        assert!(report.passed(), "{report:?}");
        assert!(report.unused.is_empty(), "{report:?}");
        for name in names {
            let value = field(&text, name);
            let last = if value.ends_with('1') { "2" } else { "1" };
            let changed = format!("{}{last}", &value[..value.len() - 1]);
            let text = text.replacen(&format!("{name} = {value}"), &format!("{name} = {changed}"), 1);
            assert!(!passes(&text, set), "{name} was changed and nobody noticed");
        }
    }
}

#[test]
fn nothing_compared_is_a_failure() {
    for text in ["", "# only a comment\n", "count = 0\ncolour = red\n"] {
        assert!(!passes(text, ToySign::SET), "{text:?}");
    }
}

#[test]
fn digests_ends_and_lengths() {
    let text = file(ToySign::SET, 1);
    let pk = hex::decode(field(&text, "pk")).expect("hex");
    let sk = field(&text, "sk");
    let digest = {
        use sha2::{Digest, Sha256};
        hex::encode(Sha256::digest(&pk))
    };
    let extra =
        format!("pk_sha256 = {digest}\npk_len = 32\npk_first64 = {}\nsk_head = {sk}\n", hex::encode(&pk));
    let with = text.trim_end().to_owned() + "\n" + &extra;
    assert!(passes(&with, ToySign::SET));
    for (good, bad) in
        [("pk_len = 32", "pk_len = 33"), ("pk_sha256 = ", "pk_sha256 = 00"), ("sk_head = ", "sk_head = 00")]
    {
        assert!(!passes(&with.replace(good, bad), ToySign::SET), "{bad}");
    }
}

#[test]
fn explicit_randomness() {
    let seed = "11".repeat(32);
    let salt = "22".repeat(16);
    let make = |seed: &str, salt: &str, sig: &str| {
        format!("case = 0\nsk_seed = {seed}\nsalt = {salt}\nmsg = 00\nsig = {sig}\n")
    };
    // The signature that the toy makes from this seed and salt.
    let wrong = "00".repeat(48);
    assert!(!passes(&make(&seed, &salt, &wrong), ToySign::SET));
    let Set::Signature(scheme) = ToySign::SET else { unreachable!() };
    let mut script = kat_vectors::ScriptedRandom::new([vec![0x11; 32], vec![0x22; 16]]);
    let pair = scheme.generate(&mut script).expect("scripted");
    let mut signature = [0; 48];
    scheme.sign_once(&pair.secret, &[0], &mut script, &mut signature).expect("scripted");
    let right = hex::encode(signature);
    assert!(passes(&make(&seed, &salt, &right), ToySign::SET));
    assert!(!passes(&make(&seed, &salt[2..], &right), ToySign::SET), "a short salt");
}

#[test]
fn verdicts_of_altered_inputs() {
    let text = file(ToySign::SET, 1);
    let (seed, msg, sm) = (field(&text, "seed"), field(&text, "msg"), field(&text, "sm"));
    let flipped = format!("{}{}", if sm.starts_with('0') { "1" } else { "0" }, &sm[1..]);
    let head = format!("seed = {seed}\nmsg = {msg}\n\n");
    let case = |change: &str, sm: &str, verdict: &str| {
        format!(
            "{head}case = 0\nwhat = something\n{change}\nsm = {sm}\nreference = accept\nstrict = {verdict}\n"
        )
    };
    assert!(passes(&case("pk_change = none", sm, "accept"), ToySign::SET));
    assert!(!passes(&case("pk_change = none", sm, "reject"), ToySign::SET));
    assert!(passes(&case("pk_change = none", &flipped, "reject"), ToySign::SET));
    assert!(!passes(&case("pk_change = none", &flipped, "accept"), ToySign::SET));
    assert!(passes(&case("pk_change = xor byte 3 with 01", sm, "reject"), ToySign::SET));
    assert!(passes(&case("pk_flip_byte = 31\npk_flip_mask = 80", sm, "reject"), ToySign::SET));
    assert!(passes(&case("pk_flip_bit = 255", sm, "reject"), ToySign::SET));
    assert!(!passes(&case("pk_change = something strange", sm, "reject"), ToySign::SET));
    let negatives = |verdict: &str| {
        text.trim_end().to_owned()
            + &format!(
                "\nneg = 0\nneg_what = a flipped bit\nneg_sm = {flipped}\nneg_verdict = {verdict}\nneg = 1\nneg_smlen = 47\nneg_verdict = reject\n"
            )
    };
    assert!(passes(&negatives("reject"), ToySign::SET));
    assert!(!passes(&negatives("accept"), ToySign::SET));
}

#[test]
fn results_of_altered_ciphertexts() {
    let text = file(ToyKem::<false>::SET, 1);
    let (Set::Kem(scheme), Set::Kem(rejecting)) = (ToyKem::<false>::SET, ToyKem::<true>::SET) else {
        unreachable!()
    };
    let sk = hex::decode(field(&text, "sk")).expect("hex");
    let mut ct = hex::decode(field(&text, "ct")).expect("hex");
    ct[5] ^= 4;
    let mut secret = [0; 32];
    scheme.decapsulate(&sk, &ct, &mut secret).expect("implicit rejection");
    let group = |code: i32, secret: &[u8]| {
        text.trim_end().to_owned()
            + &format!("\nflip_byte = 5\nflip_bit = 2\ndec_ret = {code}\ndec_ss = {}\n", hex::encode(secret))
            + "ct_all = FF\ndec_ret = 0\n"
    };
    assert!(passes(&group(0, &secret), ToyKem::<false>::SET));
    assert!(!passes(&group(0, &[0; 32]), ToyKem::<false>::SET));
    assert!(!passes(&group(-1, &secret), ToyKem::<false>::SET));
    assert!(rejecting.decapsulate(&sk, &ct, &mut secret).is_err());
    assert!(passes(&group(-1, &secret).replace("dec_ret = 0", "dec_ret = -1"), ToyKem::<true>::SET));
}
