//! Parameter sets of the mayo family.

use crate::registry::Set;

/// The sets of this family, toys included.
pub static SETS: &[Set] = &[];
