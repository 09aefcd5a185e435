//! Rotations without flags and AND-NOT, for Keccak.

use gf2n::backend::Level;

gf2n::cpu_token!(
    /// BMI1 and BMI2.
    pub struct Rotations, rotation_features, Level::Avx2, ["bmi1", "bmi2"]
);
