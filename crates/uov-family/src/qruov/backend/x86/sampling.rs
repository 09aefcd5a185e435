//! Sampling 64 bytes at a time: of the bytes of a stream, masked to `b` bits, those equal to q are replaced by spare bytes.
//!
//! Addresses and branches depend on the *positions* of the bytes equal to q only, which are independent of the elements.

use core::arch::x86_64::*;
use core::marker::PhantomData;

use crate::qruov::backend::Scratch;

/// Bytes that are sampled at once.
pub(super) const STEP: usize = 64;

/// What is sampled: the stream and where its parts lie.
pub(super) struct Draw<'s> {
    pub(super) modulus: u8,
    /// Elements; the spare bytes follow.
    pub(super) count: usize,
    /// End of the spare bytes.
    pub(super) drawn: usize,
    /// Whole steps: of the elements, or of the elements and spare bytes, as the sampler says.
    pub(super) stream: &'s mut [u8],
}

/// Samples one stream in place, [`STEP`] bytes at a time and in order.
///
/// All methods are reached under a token that proves the instructions.
pub(super) trait Sampler<'s>: Sized {
    /// Whether the spare bytes are wanted before the elements (counter mode delivers them in any order) and apart from the
    /// stream, or behind the elements and in the end.
    const SPARES_FIRST: bool;

    /// A sampler of a stream that is not yet written. `raw` holds the spare bytes as they were drawn, if they are wanted first;
    /// `spares` has room for these and 64 bytes more, `positions` for as many numbers as there are elements and 128 more.
    fn new(draw: Draw<'s>, raw: &[u8], spares: &'s mut [u8], positions: &'s mut [u32]) -> Self;
    /// The bytes of the stream, which are to be written, masked to `b` bits, before they are sampled.
    fn stream(&mut self) -> &mut [u8];
    /// Samples the next [`STEP`] bytes; nothing happens at the end of the elements.
    fn step(&mut self);
    /// Ends the stream. Whether the spare bytes sufficed; missing ones count as 0.
    fn finish(self) -> bool;
}

/// Bytes that a sampler wants written.
#[inline(always)]
pub(super) fn written<'s, S: Sampler<'s>>(count: usize, drawn: usize) -> usize {
    if S::SPARES_FIRST { count } else { drawn }.next_multiple_of(STEP)
}

/// Samples the stream that lies in `buffer`: `count` elements, then spare bytes up to `drawn`, then 63 bytes at least that may change.
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
    let stream = &mut buffer[..written::<S>(count, drawn)];
    for byte in stream.iter_mut() {
        *byte &= modulus;
    }
    let mut sampler = S::new(Draw { modulus, count, drawn, stream }, raw, spares, positions);
    for _ in 0..count.div_ceil(STEP) {
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
    const SPARES_FIRST: bool = true;

    #[inline(always)]
    fn new(draw: Draw<'s>, raw: &[u8], spares: &'s mut [u8], _positions: &'s mut [u32]) -> Self {
        // SAFETY: run under a token that proves BW and VBMI2; loads are masked to the bytes inside `raw`, and every store is into a slice
        // of 64 bytes.
        unsafe {
            let modulus = _mm512_set1_epi8(draw.modulus as i8);
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
            Self { modulus, at: 0, next: 0, spares: &spares[..written + 64], stream: draw.stream }
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
            let x = _mm512_loadu_si512(bytes.as_ptr().cast());
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

/// Comparison of 64 bytes. Reached under a token that proves the instructions.
pub(super) trait Compare {
    /// A bit for each byte that is `value`.
    fn equal(bytes: &[u8; STEP], value: u8) -> u64;
}

/// On 256-bit vectors: AVX2.
pub(super) struct Compare256;

impl Compare for Compare256 {
    #[inline(always)]
    fn equal(bytes: &[u8; STEP], value: u8) -> u64 {
        // SAFETY: run under a token that proves AVX2; both halves lie inside the 64 bytes.
        unsafe {
            let value = _mm256_set1_epi8(value as i8);
            let equal = |x| u64::from(_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, value)) as u32);
            let place = bytes.as_ptr().cast::<__m256i>();
            equal(_mm256_loadu_si256(place)) | equal(_mm256_loadu_si256(place.add(1))) << 32
        }
    }
}

/// On 512-bit vectors: AVX-512 BW.
pub(super) struct Compare512;

impl Compare for Compare512 {
    #[inline(always)]
    fn equal(bytes: &[u8; STEP], value: u8) -> u64 {
        // SAFETY: run under a token that proves AVX-512 BW; the vector is the 64 bytes.
        unsafe {
            _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(bytes.as_ptr().cast()), _mm512_set1_epi8(value as i8))
        }
    }
}

/// For rare replacements (q = 127: one byte in 128; q = 31: one in 32): the positions are listed, and the bytes replaced in the end. Up to
/// `USUAL` positions of a step are listed without a branch.
pub(super) struct Listing<'s, C: Compare, const USUAL: usize> {
    draw: Draw<'s>,
    /// Bytes taken.
    at: usize,
    /// Positions listed: at most `at`.
    listed: usize,
    positions: &'s mut [u32],
    compare: PhantomData<C>,
}

impl<'s, C: Compare, const USUAL: usize> Sampler<'s> for Listing<'s, C, USUAL> {
    const SPARES_FIRST: bool = false;

    #[inline(always)]
    fn new(draw: Draw<'s>, _raw: &[u8], _spares: &'s mut [u8], positions: &'s mut [u32]) -> Self {
        assert!(positions.len() >= draw.count + 128 && draw.count <= draw.drawn);
        assert!(draw.stream.len() >= draw.drawn && draw.stream.len().is_multiple_of(STEP));
        Self { draw, at: 0, listed: 0, positions, compare: PhantomData }
    }

    #[inline(always)]
    fn stream(&mut self) -> &mut [u8] {
        self.draw.stream
    }

    #[inline(always)]
    fn step(&mut self) {
        if self.at >= self.draw.count {
            return;
        }
        let at = self.at;
        // SAFETY: `at` is a multiple of 64 below `count <= stream.len()`, which is a multiple of 64.
        let bytes = unsafe { &*self.draw.stream.as_ptr().add(at).cast::<[u8; STEP]>() };
        let mut rejected = C::equal(bytes, self.draw.modulus);
        let count = rejected.count_ones() as usize;
        // SAFETY: `listed <= at < count` because every step lists at most its 64 positions, and `positions` is longer by 128.
        let places = unsafe { self.positions.get_unchecked_mut(self.listed..self.listed + STEP) };
        for place in &mut places[..USUAL] {
            *place = at as u32 + rejected.trailing_zeros();
            rejected &= rejected.wrapping_sub(1);
        }
        if count > USUAL {
            for place in &mut places[USUAL..count] {
                *place = at as u32 + rejected.trailing_zeros();
                rejected &= rejected.wrapping_sub(1);
            }
        }
        self.listed += count;
        self.at += STEP;
    }

    #[inline(always)]
    fn finish(self) -> bool {
        let Draw { modulus, count, drawn, stream } = self.draw;
        let (elements, spares) = stream[..drawn].split_at_mut(count);
        let mut spares = spares.iter();
        let mut sufficed = true;
        for &at in &self.positions[..self.listed] {
            // positions behind the elements come last
            let Some(element) = elements.get_mut(at as usize) else { break };
            let replacement = spares.find(|&&byte| byte != modulus);
            sufficed &= replacement.is_some();
            *element = replacement.copied().unwrap_or(0);
        }
        sufficed
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
    const SPARES_FIRST: bool = true;

    #[inline(always)]
    fn new(draw: Draw<'s>, raw: &[u8], spares: &'s mut [u8], _positions: &'s mut [u32]) -> Self {
        let spares = compact(draw.modulus, raw, spares);
        // SAFETY: run under a token that proves AVX2.
        let modulus = unsafe { _mm256_set1_epi8(draw.modulus as i8) };
        Self { modulus, at: 0, next: 0, spares, stream: draw.stream }
    }

    #[inline(always)]
    fn stream(&mut self) -> &mut [u8] {
        self.stream
    }

    #[inline(always)]
    fn step(&mut self) {
        self.half_step();
        self.half_step();
    }

    #[inline(always)]
    fn finish(self) -> bool {
        self.next + 32 <= self.spares.len()
    }
}

impl Shuffling<'_> {
    /// One vector.
    #[inline(always)]
    fn half_step(&mut self) {
        let Some(bytes) = self.stream.get_mut(self.at..self.at + 32) else { return };
        self.at += 32;
        let window = match self.spares.get(self.next..self.next + 32) {
            Some(bytes) => bytes,
            None => &[0; 32],
        };
        let eight = |at: usize| window[at..].first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes));
        // SAFETY: run under a token that proves AVX2; `bytes` has 32 bytes.
        unsafe {
            let x = _mm256_loadu_si256(bytes.as_ptr().cast());
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
}
