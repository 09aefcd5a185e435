//! Generators that tests and checks look at, or that misbehave: one that notes every request and may fail, one that repeats itself.

use rand_core::{TryCryptoRng, TryRng};

/// The generator has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the generator failed")]
pub struct Failure;

/// Passes requests on and notes their lengths; fails at one of them and at all after it, if asked to.
#[derive(Clone, Debug)]
pub struct Observed<R> {
    inner: R,
    /// Length of each request that was answered, in order.
    pub lengths: Vec<usize>,
    fails_at: Option<usize>,
}

impl<R> Observed<R> {
    /// Notes what is asked of `inner`.
    pub fn new(inner: R) -> Self {
        Self { inner, lengths: Vec::new(), fails_at: None }
    }

    /// Notes what is asked of `inner`; fails from the request with this index on.
    pub fn failing_at(inner: R, index: usize) -> Self {
        Self { inner, lengths: Vec::new(), fails_at: Some(index) }
    }

    /// The generator behind.
    pub fn inner(&self) -> &R {
        &self.inner
    }
}

impl<R: TryRng> TryRng for Observed<R> {
    type Error = Failure;

    fn try_next_u32(&mut self) -> Result<u32, Failure> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Failure> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), Failure> {
        if self.fails_at.is_some_and(|index| self.lengths.len() >= index) {
            return Err(Failure);
        }
        self.inner.try_fill_bytes(destination).map_err(|_| Failure)?;
        self.lengths.push(destination.len());
        Ok(())
    }
}

impl<R: TryCryptoRng> TryCryptoRng for Observed<R> {}

/// Answers every request with the same byte, for ever.
#[derive(Clone, Copy, Debug)]
pub struct Repeats(pub u8);

impl TryRng for Repeats {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(u32::from_le_bytes([self.0; 4]))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(u64::from_le_bytes([self.0; 8]))
    }

    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), Self::Error> {
        destination.fill(self.0);
        Ok(())
    }
}

impl TryCryptoRng for Repeats {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_requests_and_fails_for_ever() {
        let mut random = Observed::failing_at(Repeats(7), 2);
        let mut bytes = [0; 3];
        assert_eq!(random.try_fill_bytes(&mut bytes), Ok(()));
        assert_eq!(bytes, [7; 3]);
        assert_eq!(random.try_next_u32(), Ok(0x0707_0707));
        assert_eq!(random.try_next_u64(), Err(Failure));
        assert_eq!(random.try_fill_bytes(&mut bytes), Err(Failure));
        assert_eq!(random.lengths, [3, 4]);
    }
}
