//! Between lists of elements and planes of 64-bit words.

/// Transposes 64 elements of 16 bits: `planes[i]` bit j = bit i of `elements[j]`. `elements` may hold fewer than 64 (the rest
/// counts as zero) and never more.
#[inline(always)]
#[must_use]
pub fn to_planes(elements: &[u16]) -> [u64; 16] {
    debug_assert!(elements.len() <= 64);
    let mut rows = [0u64; 16];
    if let Ok(full) = <&[u16; 64]>::try_from(elements) {
        for (j, row) in rows.iter_mut().enumerate() {
            *row = u64::from(full[j])
                | u64::from(full[j + 16]) << 16
                | u64::from(full[j + 32]) << 32
                | u64::from(full[j + 48]) << 48;
        }
    } else {
        for (index, element) in elements.iter().enumerate().take(64) {
            rows[index % 16] |= u64::from(*element) << (16 * (index / 16));
        }
    }
    transpose_fields(&mut rows);
    rows
}

/// The inverse of [`to_planes`]: element j collects bit j of every plane.
#[inline(always)]
#[must_use]
pub fn from_planes(planes: &[u64; 16]) -> [u16; 64] {
    let mut rows = *planes;
    transpose_fields(&mut rows);
    let mut elements = [0u16; 64];
    for (index, element) in elements.iter_mut().enumerate() {
        *element = (rows[index % 16] >> (16 * (index / 16))) as u16;
    }
    elements
}

/// Transposes the four 16 x 16 bit matrices that stand side by side in 16 words.
#[inline(always)]
fn transpose_fields(rows: &mut [u64; 16]) {
    const MASKS: [u64; 4] =
        [0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0F0F_0F0F_0F0F_0F0F, 0x00FF_00FF_00FF_00FF];
    for (level, mask) in MASKS.into_iter().enumerate() {
        let distance = 1usize << level;
        for low in 0..16 {
            if low & distance == 0 {
                let swap = (rows[low] >> distance ^ rows[low + distance]) & mask;
                rows[low + distance] ^= swap;
                rows[low] ^= swap << distance;
            }
        }
    }
}
