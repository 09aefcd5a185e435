//! A generator that answers each request with given bytes: for vectors that state their randomness explicitly.

use std::collections::VecDeque;

use rand_core::{TryCryptoRng, TryRng};

/// A request that the script does not provide for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// All answers were used.
    #[error("a request of {asked} bytes after the last scripted answer")]
    Exhausted {
        /// Bytes asked for.
        asked: usize,
    },
    /// The next answer has another length than the request.
    #[error("a request of {asked} bytes where {scripted} bytes are scripted")]
    Length {
        /// Bytes asked for.
        asked: usize,
        /// Length of the next answer.
        scripted: usize,
    },
}

/// Answers the requests of one key generation or signature, in order, with the given byte strings.
#[derive(Clone, Debug, Default)]
pub struct ScriptedRandom {
    answers: VecDeque<Vec<u8>>,
    /// The first request that was refused, for the report.
    pub refused: Option<ScriptError>,
}

impl ScriptedRandom {
    /// A script of these answers.
    #[must_use]
    pub fn new(answers: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self { answers: answers.into_iter().collect(), refused: None }
    }

    /// How many answers were not asked for.
    #[must_use]
    pub fn left(&self) -> usize {
        self.answers.len()
    }
}

impl TryRng for ScriptedRandom {
    type Error = ScriptError;

    fn try_next_u32(&mut self) -> Result<u32, ScriptError> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, ScriptError> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), ScriptError> {
        let asked = destination.len();
        let refusal = match self.answers.front() {
            Some(answer) if answer.len() == asked => {
                destination.copy_from_slice(answer);
                self.answers.pop_front();
                return Ok(());
            }
            Some(answer) => ScriptError::Length { asked, scripted: answer.len() },
            None => ScriptError::Exhausted { asked },
        };
        self.refused.get_or_insert(refusal);
        Err(refusal)
    }
}

impl TryCryptoRng for ScriptedRandom {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_in_order_and_refuses_other_lengths() {
        let mut script = ScriptedRandom::new([vec![1, 2], vec![3]]);
        let mut two = [0; 2];
        assert_eq!(script.try_fill_bytes(&mut two), Ok(()));
        assert_eq!(two, [1, 2]);
        assert_eq!(script.try_fill_bytes(&mut two), Err(ScriptError::Length { asked: 2, scripted: 1 }));
        assert_eq!(script.left(), 1);
        let mut one = [0; 1];
        assert_eq!(script.try_fill_bytes(&mut one), Ok(()));
        assert_eq!(script.try_fill_bytes(&mut one), Err(ScriptError::Exhausted { asked: 1 }));
        assert_eq!(script.refused, Some(ScriptError::Length { asked: 2, scripted: 1 }));
    }
}
