//! Parameter sets of the dualmodems family.

use crate::registry::Set;

/// The sets of this family, toys included.
pub static SETS: &[Set] = &[];
