//! The shuffle of the columns of the ARMv7-M sets: which unknowns are zero.

/// Fisher-Yates from the top, one request of four bytes a step.
pub(super) fn shuffle<E>(
    order: &mut [usize],
    draw: &mut impl FnMut(&mut [u8]) -> Result<(), E>,
) -> Result<(), E> {
    for place in (1..order.len()).rev() {
        let mut bytes = [0; 4];
        draw(&mut bytes)?;
        let other = remainder(u32::from_be_bytes(bytes), place as u32 + 1);
        order.swap(place, other as usize);
    }
    Ok(())
}

/// `value` modulo `divisor` (2 to 255, public) without a divide instruction, whose time depends on `value`.
fn remainder(value: u32, divisor: u32) -> u32 {
    let mut rest = u64::from(value);
    let mut shifted = u64::from(divisor) << 31;
    for _ in 0..32 {
        let difference = rest.wrapping_sub(shifted);
        let negative = (difference >> 63).wrapping_neg();
        rest = difference.wrapping_add(shifted & negative);
        shifted >>= 1;
    }
    rest as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_without_division() {
        for divisor in 2..=255 {
            for value in [0, 1, divisor - 1, divisor, divisor + 1, 0x8000_0000, u32::MAX - 1, u32::MAX] {
                assert_eq!(remainder(value, divisor), value % divisor);
            }
        }
    }
}
