//! Parameter sets of the gui family.

use crate::registry::Set;

/// The sets of this family, toys included.
pub static SETS: &[Set] = &[];
