//! The bit stream of public keys and signatures: `b`-bit fields, least significant bit first.

use alloc::{vec, vec::Vec};

use super::backend::{Backend, with_backend};
use super::ring::QuotientRing;

/// Why bytes are not a packed list of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// An unused bit of the last byte is set.
    #[error("non-zero padding bit in byte {byte}")]
    Padding {
        /// Offset of the byte in the packed list.
        byte: usize,
    },
    /// A field holds q.
    #[error("element {index} is out of range")]
    OutOfRange {
        /// Index of the element.
        index: usize,
    },
}

/// Spreads eight `b`-bit fields to the eight bytes of a word.
#[inline(always)]
pub(crate) const fn spread<R: QuotientRing>(x: u64) -> u64 {
    let b = R::BITS;
    let x = (x & ((1 << (4 * b)) - 1)) | ((x >> (4 * b)) << 32);
    let two = (1 << (2 * b)) - 1;
    let x = (x & (two | (two << 32))) | ((x & ((two << (2 * b)) | (two << (32 + 2 * b)))) << (16 - 2 * b));
    let one = 0x0001_0001_0001_0001 * ((1 << b) - 1);
    (x & one) | ((x & (one << b)) << (8 - b))
}

/// Joins the low `b` bits of the eight bytes of a word; the inverse of [`spread`].
#[inline(always)]
const fn join<R: QuotientRing>(x: u64) -> u64 {
    let b = R::BITS;
    let one = 0x0001_0001_0001_0001 * ((1 << b) - 1);
    let x = (x & one) | ((x >> (8 - b)) & (one << b));
    let two = 0x0000_0001_0000_0001 * ((1 << (2 * b)) - 1);
    let x = (x & two) | ((x >> (16 - 2 * b)) & (two << (2 * b)));
    (x & ((1 << (4 * b)) - 1)) | ((x >> 32) << (4 * b))
}

/// Bytes of `count` packed elements.
pub(crate) const fn packed_len<R: QuotientRing>(count: usize) -> usize {
    (count * R::BITS as usize).div_ceil(8)
}

/// Appends `elements` (one byte each, below q) to `out`, padded with zero bits.
pub(crate) fn pack<R: QuotientRing>(elements: &[u8], out: &mut Vec<u8>) {
    let bits = R::BITS as usize;
    let end = out.len() + packed_len::<R>(elements.len());
    for eight in elements.chunks(8) {
        let mut bytes = [0; 8];
        bytes[..eight.len()].copy_from_slice(eight);
        out.extend_from_slice(&join::<R>(u64::from_le_bytes(bytes)).to_le_bytes()[..bits]);
    }
    out.truncate(end);
}

/// Reads `count` fields without any check: padding is ignored, a field may be q. At least `slack` zero bytes follow the fields.
pub(crate) fn unpack_unchecked<R: QuotientRing>(packed: &[u8], count: usize, slack: usize) -> Vec<u8> {
    let mut out = vec![0; count.next_multiple_of(8) + slack];
    let fields = &mut out[..count.next_multiple_of(8)];
    with_backend!(|backend| {
        backend.run(
            #[inline(always)]
            || spread_all::<_, R>(backend, packed, fields),
        );
        // padding bits of the last byte may have been read as fields
        out[count..].fill(0);
        out
    })
}

#[inline(always)]
fn spread_all<B: Backend, R: QuotientRing>(backend: B, packed: &[u8], out: &mut [u8]) {
    let bits = R::BITS as usize;
    let words = out.as_chunks_mut::<8>().0;
    // so many words can be read by eight whole bytes
    let whole = packed.len().checked_sub(8).map_or(0, |last| last / bits + 1).min(words.len());
    let (first, rest) = words.split_at_mut(whole);
    for (eight, bytes) in first.iter_mut().zip(packed.windows(8).step_by(bits)) {
        let mut fields = [0; 8];
        fields.copy_from_slice(bytes);
        *eight = backend.spread::<R>(u64::from_le_bytes(fields)).to_le_bytes();
    }
    for (index, eight) in (whole..).zip(rest) {
        let bytes = packed.get(index * bits..).unwrap_or(&[]);
        let fields = bytes.iter().take(8).rev().fold(0, |word, &byte| (word << 8) | u64::from(byte));
        *eight = backend.spread::<R>(fields).to_le_bytes();
    }
}

/// Reads `count` elements; refuses padding bits and fields equal to q. `packed` has [`packed_len`] bytes. At least `slack` zero bytes
/// follow the elements.
///
/// # Errors
/// The first fault: a field equal to q in the order of the fields, then padding.
pub(crate) fn unpack<R: QuotientRing>(
    packed: &[u8],
    count: usize,
    slack: usize,
) -> Result<Vec<u8>, FormatError> {
    let out = unpack_unchecked::<R>(packed, count, slack);
    let modulus = R::MODULUS as u8;
    if out.iter().fold(false, |found, &byte| found | (byte == modulus))
        && let Some(index) = out.iter().position(|&byte| byte == modulus)
    {
        return Err(FormatError::OutOfRange { index });
    }
    let used = count * R::BITS as usize % 8;
    if let Some((&last, before)) = packed.split_last()
        && used != 0
        && last >> used != 0
    {
        return Err(FormatError::Padding { byte: before.len() });
    }
    Ok(out)
}

/// Reads `count` fields by the lax rule of the round-2 reference: padding is ignored and q counts as 0.
pub(crate) fn unpack_lax<R: QuotientRing>(packed: &[u8], count: usize, slack: usize) -> Vec<u8> {
    let mut out = unpack_unchecked::<R>(packed, count, slack);
    for byte in &mut out {
        *byte &= u8::from(u32::from(*byte) == R::MODULUS).wrapping_sub(1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qruov::ring::{Q7L10, Q31L3, Q127L3};
    use proptest::prelude::*;

    fn round_trip<R: QuotientRing>(raw: &[u8]) {
        let elements: Vec<u8> = raw.iter().map(|byte| (u32::from(*byte) % R::MODULUS) as u8).collect();
        let mut packed = Vec::new();
        pack::<R>(&elements, &mut packed);
        assert_eq!(packed.len(), packed_len::<R>(elements.len()));
        // the definition, bit by bit
        for bit in 0..packed.len() * 8 {
            let (index, shift) = (bit / R::BITS as usize, bit % R::BITS as usize);
            let expected = elements.get(index).map_or(0, |element| (element >> shift) & 1);
            assert_eq!((packed[bit / 8] >> (bit % 8)) & 1, expected, "bit {bit}");
        }
        let parsed = unpack::<R>(&packed, elements.len(), 5).unwrap();
        assert_eq!(parsed[..elements.len()], elements[..]);
        assert!(parsed.len() >= elements.len() + 5 && parsed[elements.len()..].iter().all(|&b| b == 0));
        // every padding bit alone is refused, and ignored by the lax rule
        for bit in elements.len() * R::BITS as usize..packed.len() * 8 {
            let mut padded = packed.clone();
            padded[bit / 8] |= 1 << (bit % 8);
            let error = FormatError::Padding { byte: packed.len() - 1 };
            assert_eq!(unpack::<R>(&padded, elements.len(), 5), Err(error));
            assert_eq!(unpack_lax::<R>(&padded, elements.len(), 5), parsed);
        }
        // an element equal to q is refused with its index, and 0 by the lax rule
        for index in 0..elements.len() {
            let mut wrong = elements.clone();
            wrong[index] = R::MODULUS as u8;
            let mut packed = Vec::new();
            pack::<R>(&wrong, &mut packed);
            assert_eq!(unpack::<R>(&packed, wrong.len(), 0), Err(FormatError::OutOfRange { index }));
            wrong[index] = 0;
            assert_eq!(unpack_lax::<R>(&packed, wrong.len(), 0)[..wrong.len()], wrong[..]);
        }
    }

    proptest! {
        #[test]
        fn packing(raw in proptest::collection::vec(any::<u8>(), 0..40)) {
            round_trip::<Q7L10>(&raw);
            round_trip::<Q31L3>(&raw);
            round_trip::<Q127L3>(&raw);
        }
    }
}
