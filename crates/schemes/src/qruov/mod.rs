//! Parameter sets of the qruov family.

use crate::registry::Set;

/// The sets of this family, toys included.
pub static SETS: &[Set] = &[];
