//! DualModeMS: the outer part of key generation at the size of the real sets, against digests that an independent program made.
#![cfg(feature = "dualmodems")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails panics")]

mod common;

use common::sha256;
use hfev::dual_mode::append_stored_parts;
use mq_eval::gf2::Layout;
use schemes::dualmodems::*;
use shake::{ExtendableOutput, Shake256, Update, XofReader};

/// The outer key of a public system from a hash function: digests of the equations, the leaf hashes, the stored tree and the public
/// key, which an independent program computed too.
fn key_of_a_synthetic_system<S: DualModeMsSet>(label: &str, expected: [&str; 4]) {
    let dual = S::DUAL;
    let (monomials, words) = (dual.shape.monomials(), dual.shape.monomial_words());
    let mut equations = Vec::with_capacity(dual.equations_len());
    for index in 0..dual.shape.equations() as u32 {
        let mut equation = vec![0; 8 * words];
        let mut hash = Shake256::default();
        hash.update(format!("DualModeMS equation {label}").as_bytes());
        hash.update(&index.to_le_bytes());
        hash.finalize_xof().read(&mut equation[..monomials.div_ceil(8)]);
        if !monomials.is_multiple_of(8) {
            equation[monomials / 8] &= (1 << (monomials % 8)) - 1;
        }
        equations.extend(equation);
    }
    let mut seed = vec![0; dual.seed_len()];
    let mut hash = Shake256::default();
    hash.update(format!("DualModeMS zseed {label}").as_bytes());
    hash.finalize_xof().read(&mut seed);
    let system = Layout::EquationMajor.decode(dual.shape, &equations).unwrap();
    let mut stored = Vec::new();
    let public = append_stored_parts(dual, system, &seed, &mut stored, &mut |_| ()).unwrap();
    assert_eq!(stored.len(), dual.stored_len());
    let tree = &stored[dual.equations_len()..][..dual.tree_len()];
    let leaves = &tree[..dual.points() * dual.security.digest_len()];
    let digests = [&stored[..dual.equations_len()], leaves, tree, &public].map(sha256);
    assert_eq!(digests, expected, "{}", S::INFO.name);
}

#[test]
fn outer_keys_at_real_size() {
    key_of_a_synthetic_system::<DualModeMs128>(
        "128",
        [
            "c86261865412c0aa677c3fe4b87026f950bcda648fe49e70d38daf7a95db20f3",
            "480775f8e55cd8291bb8e38c4702e31e3f36784a69b982860fe93d9419962985",
            "61f4d79f513ce62945060c1854ff8f599c559db012f8329f3c53ab25005e0fd8",
            "9f0978b94908b665f559c3935e6446d67f22d810df4262fd6de235be203af660",
        ],
    );
    key_of_a_synthetic_system::<DualModeMs192>(
        "192",
        [
            "a7737a37ecc10ae87acfb1a37a18cd779a4488bc1da6fc83bc119eb93be29478",
            "c12ebfb3dbf59981a5fe8b24f24964d191018997914dab90f58313a561922080",
            "e5ceb85b28875c8084b8242cd947f4550d98657a7a277f048549875f55ee570e",
            "11e69cae54e621222e2b9c3a2caff2c48bd723dcdf07d03ea9997d7b36912f2a",
        ],
    );
    key_of_a_synthetic_system::<DualModeMs256>(
        "256",
        [
            "537ca82ac03558849d4c065bc65ddd75e687f1ca39a980347d0796d79f135841",
            "d55f5e310090f1703fc248378e0b458fac354523b8db271435179a3ba1be292a",
            "889af9a948bc3bbf6e418617033b70104ba375afe9d8d976112f4381f47a0d6b",
            "a5d8c4e2756ef9f3e43e71336e59ada26d10fad9fbbac028b0ab48208760edd3",
        ],
    );
    key_of_a_synthetic_system::<DualModeMs128F>(
        "128",
        [
            "c86261865412c0aa677c3fe4b87026f950bcda648fe49e70d38daf7a95db20f3",
            "13e8c801814e3c01f9f46da8257c51ae346a2f2d29de517b254f07acca018eec",
            "d4edc0ca997b1387fc6c089e2b4ddff51293d3a75bdab7222df7cf3e96a22508",
            "14631d08c96012cad7759934f68f35d44edd1501963dbd10f7b401d34fb0ba37",
        ],
    );
    key_of_a_synthetic_system::<DualModeMs192F>(
        "192",
        [
            "a7737a37ecc10ae87acfb1a37a18cd779a4488bc1da6fc83bc119eb93be29478",
            "50d73d02863b852d1711f4955b580d2b09b736d3773bccde5c6e245036c97c11",
            "704db3496cc1e7d7ba0e13f00ff32d68a044687214867725d737f9989ef6b0f3",
            "1dfeeeecf996e737ac6bdb5e2febec81d791128dd9be827ded8e63e614d33dd8",
        ],
    );
    key_of_a_synthetic_system::<DualModeMs256F>(
        "256",
        [
            "537ca82ac03558849d4c065bc65ddd75e687f1ca39a980347d0796d79f135841",
            "d2ed8782b8097a1b6f5b7fec15ec9cf9a13e99c629678d397752bd025597b8fb",
            "0f4a39ceec72b157e17f9cab81273599997e1c391a8c4f4807a1605f5a19536c",
            "ee06add0fdd448cfb585d3c1e13707d028312ddb1329b641c39fb1d2b0146d48",
        ],
    );
}
