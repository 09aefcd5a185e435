//! Sampling a vector at a time: the bytes of a stream are masked to `b` bits as they come, and those equal to q are replaced.
//!
//! The spare bytes, which follow the elements in the stream, are wanted first; counter mode delivers them in any order. Addresses and
//! branches depend on the *positions* of the bytes equal to q only, which are independent of the elements.

use core::arch::x86_64::*;

use crate::qruov::backend::Scratch;

/// Samples one stream in place, vector by vector and in order.
///
/// All methods are reached under a token that proves the instructions.
pub(super) trait Sampler<'s>: Sized {
    /// Bytes of a vector.
    const BYTES: usize;

    /// A sampler of the bytes in `stream`, whole vectors. `raw` holds the spare bytes of the stream as they were drawn; `spares` has
    /// room for these and 64 bytes more, `positions` for as many numbers as `stream` has bytes and 64 more.
    fn new(
        modulus: u8,
        raw: &[u8],
        spares: &'s mut [u8],
        positions: &'s mut [u32],
        stream: &'s mut [u8],
    ) -> Self;
    /// The bytes of the stream: to be written before they are sampled.
    fn stream(&mut self) -> &mut [u8];
    /// Samples the next vector; nothing happens at the end.
    fn step(&mut self);
    /// Ends the stream. Whether the spare bytes sufficed; missing ones count as 0.
    fn finish(self) -> bool;
}

/// Samples the stream that lies in `buffer`: `count` elements, then spare bytes up to `drawn`. Whole vectors are written, so that up to 63
/// bytes after the elements change.
#[inline(always)]
pub(super) fn sample_buffer<'s, S: Sampler<'s>>(
    modulus: u8,
    (count, drawn): (usize, usize),
    buffer: &'s mut [u8],
    scratch: &'s mut Scratch,
) -> bool {
    let Scratch { raw, spares, positions } = scratch;
    let raw = &mut raw[..drawn - count];
    raw.copy_from_slice(&buffer[count..drawn]);
    let len = count.next_multiple_of(S::BYTES);
    let mut sampler = S::new(modulus, raw, spares, positions, &mut buffer[..len]);
    for _ in 0..len / S::BYTES {
        sampler.step();
    }
    sampler.finish()
}

/// AVX-512 with VBMI2: `vpcompressb` collects the spare bytes, `vpexpandb` fills the places of the rejected ones. No branch on positions.
pub(super) struct Expanding<'s> {
    modulus: __m512i,
    /// Bytes taken.
    at: usize,
    /// Replacements used.
    next: usize,
    /// Replacements, then 64 zeros.
    spares: &'s [u8],
    stream: &'s mut [u8],
}

impl<'s> Sampler<'s> for Expanding<'s> {
    const BYTES: usize = 64;

    #[inline(always)]
    fn new(
        modulus: u8,
        raw: &[u8],
        spares: &'s mut [u8],
        _positions: &'s mut [u32],
        stream: &'s mut [u8],
    ) -> Self {
        // SAFETY: run under a token that proves BW and VBMI2; loads are masked to the bytes inside `raw`, and every store is into a slice
        // of 64 bytes.
        unsafe {
            let modulus = _mm512_set1_epi8(modulus as i8);
            let mut written = 0;
            for at in (0..raw.len()).step_by(64) {
                let left = raw.len() - at;
                let inside = if left < 64 { (1_u64 << left) - 1 } else { u64::MAX };
                let x = _mm512_maskz_loadu_epi8(inside, raw.as_ptr().add(at).cast());
                let x = _mm512_and_si512(x, modulus);
                let kept = _mm512_mask_cmpneq_epi8_mask(inside, x, modulus);
                let place = &mut spares[written..written + 64];
                _mm512_storeu_si512(place.as_mut_ptr().cast(), _mm512_maskz_compress_epi8(kept, x));
                written += kept.count_ones() as usize;
            }
            spares[written..written + 64].fill(0);
            Self { modulus, at: 0, next: 0, spares: &spares[..written + 64], stream }
        }
    }

    #[inline(always)]
    fn stream(&mut self) -> &mut [u8] {
        self.stream
    }

    #[inline(always)]
    fn step(&mut self) {
        let Some(bytes) = self.stream.get_mut(self.at..self.at + 64) else { return };
        self.at += 64;
        // SAFETY: as above; slices of 64 bytes.
        unsafe {
            let x = _mm512_and_si512(_mm512_loadu_si512(bytes.as_ptr().cast()), self.modulus);
            let rejected = _mm512_cmpeq_epi8_mask(x, self.modulus);
            let replacements = match self.spares.get(self.next..self.next + 64) {
                Some(bytes) => _mm512_loadu_si512(bytes.as_ptr().cast()),
                None => _mm512_setzero_si512(),
            };
            _mm512_storeu_si512(
                bytes.as_mut_ptr().cast(),
                _mm512_mask_expand_epi8(x, rejected, replacements),
            );
            self.next += rejected.count_ones() as usize;
        }
    }

    #[inline(always)]
    fn finish(self) -> bool {
        self.next + 64 <= self.spares.len()
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// The spare bytes that are not q, in order, by PEXT; followed by 32 zeros. BMI2 is proven by the callers' token.
#[inline(always)]
fn compact<'s>(modulus: u8, raw: &[u8], spares: &'s mut [u8]) -> &'s [u8] {
    let (bits, modulus) = (modulus.count_ones(), ONES * u64::from(modulus));
    let mut written = 0;
    let mut keep = |x: u64| {
        let x = x & modulus;
        let rejected = ((x + ONES) >> bits) & ONES;
        // SAFETY: run under a token that proves BMI2.
        let kept = unsafe { _pext_u64(x, !(rejected * 0xff)) };
        spares[written..written + 8].copy_from_slice(&kept.to_le_bytes());
        written += 8 - rejected.count_ones() as usize;
    };
    let (eights, rest) = raw.as_chunks::<8>();
    for eight in eights {
        keep(u64::from_le_bytes(*eight));
    }
    // what is missing in the last eight counts as rejected
    keep(rest.iter().rev().fold(u64::MAX, |x, &byte| x << 8 | u64::from(byte)));
    spares[written..written + 32].fill(0);
    &spares[..written + 32]
}

/// AVX2, for rare replacements (q = 127: one byte in 128; q = 31: one in 32): the positions are listed, and the bytes replaced in the end.
/// Up to `USUAL` positions of a vector are listed without a branch.
pub(super) struct Listing<'s, const USUAL: usize> {
    modulus: __m256i,
    /// Bytes taken.
    at: usize,
    /// Positions listed: at most `at`.
    listed: usize,
    /// At least 32 longer than `stream`.
    positions: &'s mut [u32],
    /// Replacements, then 32 zeros.
    spares: &'s [u8],
    stream: &'s mut [u8],
}

impl<'s, const USUAL: usize> Sampler<'s> for Listing<'s, USUAL> {
    const BYTES: usize = 32;

    #[inline(always)]
    fn new(
        modulus: u8,
        raw: &[u8],
        spares: &'s mut [u8],
        positions: &'s mut [u32],
        stream: &'s mut [u8],
    ) -> Self {
        let spares = compact(modulus, raw, spares);
        // SAFETY: run under a token that proves AVX2.
        let modulus = unsafe { _mm256_set1_epi8(modulus as i8) };
        assert!(positions.len() >= stream.len() + 32);
        Self { modulus, at: 0, listed: 0, positions, spares, stream }
    }

    #[inline(always)]
    fn stream(&mut self) -> &mut [u8] {
        self.stream
    }

    #[inline(always)]
    fn step(&mut self) {
        let Some(bytes) = self.stream.get_mut(self.at..self.at + 32) else { return };
        // SAFETY: as above; `bytes` has 32 bytes.
        let mut rejected = unsafe {
            let x = _mm256_and_si256(_mm256_loadu_si256(bytes.as_ptr().cast()), self.modulus);
            _mm256_storeu_si256(bytes.as_mut_ptr().cast(), x);
            _mm256_movemask_epi8(_mm256_cmpeq_epi8(x, self.modulus)) as u32
        };
        let count = rejected.count_ones() as usize;
        // SAFETY: `listed <= at < stream.len()` because every vector lists at most its 32 positions, and `positions` is longer by 32.
        let places = unsafe { self.positions.get_unchecked_mut(self.listed..self.listed + 32) };
        let mut list = |places: &mut [u32]| {
            for place in places {
                *place = self.at as u32 + rejected.trailing_zeros();
                rejected &= rejected.wrapping_sub(1);
            }
        };
        list(&mut places[..USUAL]);
        if count > USUAL {
            list(&mut places[USUAL..count]);
        }
        self.listed += count;
        self.at += 32;
    }

    #[inline(always)]
    fn finish(self) -> bool {
        let positions = &self.positions[..self.listed];
        let mut spares = self.spares.iter();
        for &at in positions {
            self.stream[at as usize] = spares.next().copied().unwrap_or(0);
        }
        self.listed + 32 <= self.spares.len()
    }
}

/// For every set of eight positions the shuffle that puts consecutive bytes there; elsewhere zero.
const EXPANSIONS: [u64; 256] = {
    let mut table = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut position, mut next) = (0, 0_u64);
        while position < 8 {
            let index = if (mask >> position) & 1 != 0 { next } else { 0x80 };
            next += (mask as u64 >> position) & 1;
            table[mask] |= index << (8 * position);
            position += 1;
        }
        mask += 1;
    }
    table
};

/// AVX2, for frequent replacements (q = 7: one byte in eight): they are put in place by shuffles that a table of public positions gives.
pub(super) struct Shuffling<'s> {
    modulus: __m256i,
    /// Bytes taken.
    at: usize,
    /// Replacements used.
    next: usize,
    /// Replacements, then 32 zeros.
    spares: &'s [u8],
    stream: &'s mut [u8],
}

impl<'s> Sampler<'s> for Shuffling<'s> {
    const BYTES: usize = 32;

    #[inline(always)]
    fn new(
        modulus: u8,
        raw: &[u8],
        spares: &'s mut [u8],
        _positions: &'s mut [u32],
        stream: &'s mut [u8],
    ) -> Self {
        let spares = compact(modulus, raw, spares);
        // SAFETY: run under a token that proves AVX2.
        let modulus = unsafe { _mm256_set1_epi8(modulus as i8) };
        Self { modulus, at: 0, next: 0, spares, stream }
    }

    #[inline(always)]
    fn stream(&mut self) -> &mut [u8] {
        self.stream
    }

    #[inline(always)]
    fn step(&mut self) {
        let Some(bytes) = self.stream.get_mut(self.at..self.at + 32) else { return };
        self.at += 32;
        let window = match self.spares.get(self.next..self.next + 32) {
            Some(bytes) => bytes,
            None => &[0; 32],
        };
        let eight = |at: usize| window[at..].first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes));
        // SAFETY: as above; `bytes` has 32 bytes.
        unsafe {
            let x = _mm256_and_si256(_mm256_loadu_si256(bytes.as_ptr().cast()), self.modulus);
            let equal = _mm256_cmpeq_epi8(x, self.modulus);
            let rejected = _mm256_movemask_epi8(equal) as u32;
            // replacements used before each group of eight bytes: at most 8, 16, 24
            let used = |below: u32| (rejected & below).count_ones() as usize;
            let (first, second, third) = (used(0xff), used(0xffff), used(0x00ff_ffff));
            let pattern = |group: u32| EXPANSIONS[(rejected >> (8 * group) & 0xff) as usize] as i64;
            let upper = 8 * ONES as i64;
            let replacements = _mm256_set_epi64x(eight(third), eight(second), eight(first), eight(0));
            let patterns = _mm256_set_epi64x(pattern(3) | upper, pattern(2), pattern(1) | upper, pattern(0));
            let placed = _mm256_shuffle_epi8(replacements, patterns);
            let kept = _mm256_andnot_si256(equal, x);
            _mm256_storeu_si256(bytes.as_mut_ptr().cast(), _mm256_or_si256(kept, placed));
            self.next += rejected.count_ones() as usize;
        }
    }

    #[inline(always)]
    fn finish(self) -> bool {
        self.next + 32 <= self.spares.len()
    }
}
