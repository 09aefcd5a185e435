//! SHAKE256 against another implementation, with every back end.

use gf2n::backend::{Level, set_ceiling};
use goppa_keygen::sponge::shake256;
use shake::{ExtendableOutput, Shake256, Update, XofReader};

#[test]
fn shake256_of_parts_is_that_of_the_whole() {
    let bytes: Vec<u8> = (0..1200u32).map(|index| (index * index + 7 * index) as u8).collect();
    for ceiling in [Level::Portable, Level::Avx512] {
        set_ceiling(ceiling);
        for length in [0, 1, 7, 32, 134, 135, 136, 137, 271, 272, 273, 1066, 1200] {
            for output_length in [0, 1, 32, 136, 137, 300] {
                let mut hash = Shake256::default();
                hash.update(&bytes[..length]);
                let mut expected = vec![0; output_length];
                hash.finalize_xof().read(&mut expected);
                let mut found = vec![0; output_length];
                let (first, rest) = bytes[..length].split_at(length.min(1));
                let (second, third) = rest.split_at(rest.len() / 3);
                shake256(&[first, second, third], &mut found);
                assert_eq!(found, expected, "{length} bytes in, {output_length} out");
            }
        }
    }
}
