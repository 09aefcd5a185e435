#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod backend;
pub mod bits;
mod coefficients;
pub mod dual_mode;
mod error;
mod feistel_patarin;
mod mix;
mod parameters;
mod polar_form;
mod polynomial;
mod public_system;
mod root_rule;
mod salted;
mod secret_key;
mod secret_map;
mod signing;
mod univariate;

pub use error::{Error, KeyError};
pub use feistel_patarin::{FeistelPatarin, SignatureError};
pub use parameters::{HfeDegree, ParameterError, Parameters};
pub use polynomial::{CoefficientCount, HfevPolynomial};
pub use public_system::{AffineParts, public_system};
pub use root_rule::{HashedRoot, IndexedRoot, PairRule, RootRule, UniqueRoot};
pub use salted::{MAX_VINEGAR, SaltedSignature, max_salts, sign_redrawing_vinegar, sign_salted};
pub use secret_key::{FixedVinegar, SecretKey};
pub use secret_map::SecretMap;
pub use signing::{MAX_ATTEMPTS, Signed, sign_redrawing};
pub use univariate::Univariate;
