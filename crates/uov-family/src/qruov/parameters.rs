//! The parameters of QR-UOV: plain data, the round included.

/// Which submission defines the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Round {
    /// NIST additional signatures, round 2.
    Two,
    /// NIST additional signatures, round 3: one secret seed, SHAKE256 for every secret, the sign rule, the rank limit.
    Three,
}

/// How the public matrices are expanded from the public seed (in round 2: how everything is expanded).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expansion {
    /// AES in counter mode.
    Aes,
    /// SHAKE.
    Shake,
}

/// Which [`QuotientRing`](super::ring::QuotientRing) a set works in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ring {
    /// [`Q7L10`](super::ring::Q7L10).
    Q7L10,
    /// [`Q31L3`](super::ring::Q31L3).
    Q31L3,
    /// [`Q31L10`](super::ring::Q31L10).
    Q31L10,
    /// [`Q127L3`](super::ring::Q127L3).
    Q127L3,
    /// [`Q127L10`](super::ring::Q127L10).
    Q127L10,
}

impl Ring {
    /// `b`: bits of an element of `F_q`.
    #[must_use]
    pub const fn bits(self) -> usize {
        match self {
            Ring::Q7L10 => 3,
            Ring::Q31L3 | Ring::Q31L10 => 5,
            Ring::Q127L3 | Ring::Q127L10 => 7,
        }
    }

    /// `q = 2^b - 1`.
    #[must_use]
    pub const fn modulus(self) -> u8 {
        (1 << self.bits()) - 1
    }

    /// `l`: the extension degree.
    #[must_use]
    pub const fn degree(self) -> usize {
        match self {
            Ring::Q31L3 | Ring::Q127L3 => 3,
            Ring::Q7L10 | Ring::Q31L10 | Ring::Q127L10 => 10,
        }
    }
}

/// One parameter set. Element counts are counts of elements of `F_q` unless "ring" is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parameters {
    /// Security category: 1, 3 or 5.
    pub category: u8,
    /// The quotient ring.
    pub ring: Ring,
    /// `v`, vinegar elements; a multiple of the degree.
    pub vinegar: usize,
    /// `m`, oil elements and equations; a multiple of the degree.
    pub oil: usize,
    /// Bytes drawn for one P1, for one P2 (and the secret matrix), for the vinegar, for `m` elements (hash target, free variables).
    pub drawn: [usize; 4],
    /// Round.
    pub round: Round,
    /// Expansion of the public matrices.
    pub expansion: Expansion,
}

impl Parameters {
    /// `V`: ring elements of the vinegar part.
    #[must_use]
    pub const fn vinegar_ring(&self) -> usize {
        self.vinegar / self.ring.degree()
    }
    /// `M`: ring elements of the oil part.
    #[must_use]
    pub const fn oil_ring(&self) -> usize {
        self.oil / self.ring.degree()
    }
    /// Elements of one P1: the upper triangle of a symmetric `V x V` matrix.
    #[must_use]
    pub const fn p1_len(&self) -> usize {
        self.vinegar * (self.vinegar_ring() + 1) / 2
    }
    /// Elements of one P2, and of the secret matrix: `V x M`.
    #[must_use]
    pub const fn p2_len(&self) -> usize {
        self.vinegar * self.oil_ring()
    }
    /// Elements of one P3: the upper triangle of a symmetric `M x M` matrix.
    #[must_use]
    pub const fn p3_len(&self) -> usize {
        self.oil * (self.oil_ring() + 1) / 2
    }
    /// Length of a salt in bytes.
    #[must_use]
    pub const fn salt_len(&self) -> usize {
        match self.category {
            1 => 16,
            3 => 24,
            _ => 32,
        }
    }
    /// Length in bytes of the secret seed, and of the three seeds of a signature.
    #[must_use]
    pub const fn secret_seed_len(&self) -> usize {
        match self.round {
            Round::Two => self.salt_len(),
            Round::Three => 32,
        }
    }
    /// Length of the public seed in bytes.
    #[must_use]
    pub const fn public_seed_len(&self) -> usize {
        match self.round {
            Round::Two => self.salt_len(),
            Round::Three => 16,
        }
    }
    /// Length of a secret key in bytes.
    #[must_use]
    pub const fn secret_key_len(&self) -> usize {
        match self.round {
            Round::Two => 2 * self.salt_len(),
            Round::Three => 32,
        }
    }
    /// Length of a public key in bytes.
    #[must_use]
    pub const fn public_key_len(&self) -> usize {
        self.public_seed_len() + (self.oil * self.p3_len() * self.ring.bits()).div_ceil(8)
    }
    /// Length of a signature in bytes.
    #[must_use]
    pub const fn signature_len(&self) -> usize {
        self.salt_len() + ((self.vinegar + self.oil) * self.ring.bits()).div_ceil(8)
    }
    /// The largest rank defect of the linear system with which a signature is still made.
    #[must_use]
    pub const fn tolerated_defect(&self) -> usize {
        match (self.round, self.ring) {
            (Round::Two, _) => self.oil,
            (Round::Three, Ring::Q127L3 | Ring::Q127L10) => 2,
            (Round::Three, Ring::Q31L3 | Ring::Q31L10) => 3,
            (Round::Three, Ring::Q7L10) => 4,
        }
    }
    /// The same set with another expansion.
    #[must_use]
    pub const fn with_expansion(self, expansion: Expansion) -> Self {
        Self { expansion, ..self }
    }
    /// The same set in another round.
    #[must_use]
    pub const fn with_round(self, round: Round) -> Self {
        Self { round, ..self }
    }
}

const fn set(category: u8, ring: Ring, vinegar: usize, oil: usize, drawn: [usize; 4]) -> Parameters {
    Parameters { category, ring, vinegar, oil, drawn, round: Round::Two, expansion: Expansion::Aes }
}

/// The twelve number sets that both rounds share, as round 2 with AES.
pub mod sets {
    use super::{Parameters, Ring, Round, set};

    /// Category 1, q = 127, l = 3.
    pub const C1Q127L3: Parameters = set(1, Ring::Q127L3, 156, 54, [4267, 2916, 192, 82]);
    /// Category 1, q = 31, l = 3.
    pub const C1Q31L3: Parameters = set(1, Ring::Q31L3, 165, 60, [4959, 3571, 226, 104]);
    /// Category 1, q = 31, l = 10.
    pub const C1Q31L10: Parameters = set(1, Ring::Q31L10, 600, 70, [19242, 4518, 704, 116]);
    /// Category 1, q = 7, l = 10.
    pub const C1Q7L10: Parameters = set(1, Ring::Q7L10, 740, 100, [32629, 8947, 1024, 201]);
    /// Category 3, q = 127, l = 3.
    pub const C3Q127L3: Parameters = set(3, Ring::Q127L3, 228, 78, [9020, 6123, 283, 120]);
    /// Category 3, q = 31, l = 3.
    pub const C3Q31L3: Parameters = set(3, Ring::Q31L3, 246, 87, [10878, 7655, 338, 154]);
    /// Category 3, q = 31, l = 10.
    pub const C3Q31L10: Parameters = set(3, Ring::Q31L10, 890, 100, [41974, 9507, 1046, 169]);
    /// Category 3, q = 7, l = 10.
    pub const C3Q7L10: Parameters = set(3, Ring::Q7L10, 1100, 140, [71432, 18461, 1526, 289]);
    /// Category 5, q = 127, l = 3.
    pub const C5Q127L3: Parameters = set(5, Ring::Q127L3, 306, 105, [16144, 11018, 380, 162]);
    /// Category 5, q = 31, l = 3.
    pub const C5Q31L3: Parameters = set(5, Ring::Q31L3, 324, 114, [18738, 13145, 447, 203]);
    /// Category 5, q = 31, l = 10.
    pub const C5Q31L10: Parameters = set(5, Ring::Q31L10, 1120, 120, [66236, 14326, 1324, 210]);
    /// Category 5, q = 7, l = 10.
    pub const C5Q7L10: Parameters = set(5, Ring::Q7L10, 1490, 190, [130_305, 33694, 2065, 391]);

    /// Category 1, q = 127, l = 10: round 3 only.
    pub const C1Q127L10: Parameters =
        set(1, Ring::Q127L10, 540, 60, [15135, 3357, 594, 89]).with_round(Round::Three);
    /// Category 3, q = 127, l = 10: round 3 only.
    pub const C3Q127L10: Parameters =
        set(3, Ring::Q127L10, 820, 90, [34603, 7600, 902, 134]).with_round(Round::Three);
    /// Category 5, q = 127, l = 10: round 3 only.
    pub const C5Q127L10: Parameters =
        set(5, Ring::Q127L10, 1040, 110, [55473, 11760, 1148, 168]).with_round(Round::Three);
}
