//! Parameters of an HFEv- system.

use gf2n::matrix::{packed_words, words_for};

/// The degree of an HFE polynomial: D = 2^top + 2^low with low < top, or D = 2^top.
///
/// The polynomial has the terms X^(2^i), i <= top, and X^(2^i + 2^j), j < i, up to the degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HfeDegree {
    top: usize,
    low: Option<usize>,
}

impl HfeDegree {
    /// The largest degree.
    pub const MAX: usize = 1 << 16;

    /// The degree `value`.
    ///
    /// # Errors
    /// [`ParameterError::Degree`] if `value` is not of the form 2^i or 2^i + 2^j, i != j, or not in 2..=2^16.
    pub const fn new(value: usize) -> Result<Self, ParameterError> {
        if value < 2 || value > Self::MAX || value.count_ones() > 2 {
            return Err(ParameterError::Degree { degree: value });
        }
        let top = value.ilog2() as usize;
        let low = if value.count_ones() == 2 { Some(value.trailing_zeros() as usize) } else { None };
        Ok(Self { top, low })
    }

    /// D.
    #[must_use]
    pub const fn value(self) -> usize {
        (1 << self.top)
            + match self.low {
                Some(low) => 1 << low,
                None => 0,
            }
    }

    /// The exponent i of the largest term X^(2^i).
    #[must_use]
    pub const fn top(self) -> usize {
        self.top
    }

    /// The j of D = 2^top + 2^j, if D is no power of 2.
    #[must_use]
    pub const fn low(self) -> Option<usize> {
        self.low
    }

    /// Number of terms X^(2^i).
    #[must_use]
    pub const fn linear_terms(self) -> usize {
        self.top + 1
    }

    /// How many terms X^(2^i + 2^j), j < i, there are for this i.
    #[must_use]
    pub const fn quadratic_terms_of(self, i: usize) -> usize {
        if i < self.top {
            return i;
        }
        match self.low {
            Some(low) if i == self.top => low + 1,
            _ => 0,
        }
    }

    /// Number of terms X^(2^i + 2^j), the leading one included.
    #[must_use]
    pub const fn quadratic_terms(self) -> usize {
        self.top * (self.top - 1) / 2 + self.quadratic_terms_of(self.top)
    }

    /// The pairs (i, j) of the terms X^(2^i + 2^j), i ascending, for each i j ascending. The leading term comes last.
    pub fn quadratic_exponents(self) -> impl Iterator<Item = (usize, usize)> {
        (1..=self.top).flat_map(move |i| (0..self.quadratic_terms_of(i)).map(move |j| (i, j)))
    }
}

/// The numbers that fix an HFEv- system with Feistel-Patarin iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parameters {
    field_degree: usize,
    degree: HfeDegree,
    minus: usize,
    vinegar: usize,
    iterations: usize,
}

/// Why numbers are no parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// Not a degree of an HFE polynomial.
    #[error("{degree} is no HFE degree: 2^i or 2^i + 2^j with i != j, from 2 to 2^16")]
    Degree {
        /// The degree asked for.
        degree: usize,
    },
    /// The degree of the polynomial is not below the number of elements of the field, in exponents: top >= n.
    #[error("an HFE polynomial of degree {degree} needs a larger field than GF(2^{field_degree})")]
    Field {
        /// n.
        field_degree: usize,
        /// D.
        degree: usize,
    },
    /// As many equations are dropped as there are, or more.
    #[error("{minus} of {field_degree} equations dropped")]
    Minus {
        /// n.
        field_degree: usize,
        /// The number of dropped equations.
        minus: usize,
    },
    /// n + v exceeds [`Parameters::MAX_VARIABLES`].
    #[error("{variables} variables are too many")]
    Variables {
        /// n + v.
        variables: usize,
    },
    /// No iteration, or more than [`Parameters::MAX_ITERATIONS`].
    #[error("{iterations} iterations")]
    Iterations {
        /// The number asked for.
        iterations: usize,
    },
}

impl Parameters {
    /// The largest n + v.
    pub const MAX_VARIABLES: usize = 1024;

    /// The largest number of iterations.
    pub const MAX_ITERATIONS: usize = 256;

    /// The field GF(2^`field_degree`), a polynomial of degree `degree`, `minus` equations dropped, `vinegar` vinegar
    /// variables added, `iterations` rounds of the Feistel-Patarin construction.
    ///
    /// # Errors
    /// A [`ParameterError`] for numbers that make no system.
    pub const fn new(
        field_degree: usize,
        degree: usize,
        minus: usize,
        vinegar: usize,
        iterations: usize,
    ) -> Result<Self, ParameterError> {
        let hfe_degree = match HfeDegree::new(degree) {
            Ok(hfe_degree) => hfe_degree,
            Err(error) => return Err(error),
        };
        if field_degree < 2 || hfe_degree.top() >= field_degree {
            return Err(ParameterError::Field { field_degree, degree });
        }
        if minus >= field_degree {
            return Err(ParameterError::Minus { field_degree, minus });
        }
        if vinegar > Self::MAX_VARIABLES || field_degree + vinegar > Self::MAX_VARIABLES {
            return Err(ParameterError::Variables { variables: field_degree.saturating_add(vinegar) });
        }
        if iterations == 0 || iterations > Self::MAX_ITERATIONS {
            return Err(ParameterError::Iterations { iterations });
        }
        Ok(Self { field_degree, degree: hfe_degree, minus, vinegar, iterations })
    }

    /// n, the degree of the field.
    #[must_use]
    pub const fn field_degree(self) -> usize {
        self.field_degree
    }

    /// D, the degree of the HFE polynomial.
    #[must_use]
    pub const fn degree(self) -> HfeDegree {
        self.degree
    }

    /// The number of dropped equations.
    #[must_use]
    pub const fn minus(self) -> usize {
        self.minus
    }

    /// v, the number of vinegar variables.
    #[must_use]
    pub const fn vinegar(self) -> usize {
        self.vinegar
    }

    /// The number of Feistel-Patarin rounds.
    #[must_use]
    pub const fn iterations(self) -> usize {
        self.iterations
    }

    /// n + v.
    #[must_use]
    pub const fn variables(self) -> usize {
        self.field_degree + self.vinegar
    }

    /// m, the number of public equations.
    #[must_use]
    pub const fn equations(self) -> usize {
        self.field_degree - self.minus
    }

    /// Bits of a signature: n + v, and n + v - m for every iteration but one.
    #[must_use]
    pub const fn signature_bits(self) -> usize {
        self.variables() + (self.iterations - 1) * (self.variables() - self.equations())
    }

    /// Number of coefficients of the HFEv polynomial without the leading one, which is 1 in GeMSS. (For D = 2^top the largest
    /// term is no constant but depends on the vinegar variables, and is counted.)
    #[must_use]
    pub const fn coefficients(self) -> usize {
        let v = self.vinegar;
        let leading = if self.degree.low().is_some() { 1 } else { 0 };
        1 + v * (v + 1) / 2 + self.degree.linear_terms() * (v + 1) + self.degree.quadratic_terms() - leading
    }

    /// Words of the coefficients of the HFEv polynomial.
    #[must_use]
    pub const fn coefficient_words(self) -> usize {
        self.coefficients() * words_for(self.field_degree)
    }

    /// Words of one triangular factor of the input map.
    #[must_use]
    pub const fn input_factor_words(self) -> usize {
        packed_words(self.variables())
    }

    /// Words of one triangular factor of the output map.
    #[must_use]
    pub const fn output_factor_words(self) -> usize {
        packed_words(self.field_degree)
    }

    /// Words of a whole secret key: polynomial and two factors of each map.
    #[must_use]
    pub const fn secret_words(self) -> usize {
        self.coefficient_words() + 2 * self.input_factor_words() + 2 * self.output_factor_words()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn degrees() {
        let exponents = |value| -> Vec<usize> {
            let degree = HfeDegree::new(value).unwrap();
            assert_eq!(degree.value(), value);
            assert_eq!(degree.quadratic_exponents().count(), degree.quadratic_terms());
            degree.quadratic_exponents().map(|(i, j)| (1 << i) + (1 << j)).collect()
        };
        assert_eq!(exponents(33), [3, 5, 6, 9, 10, 12, 17, 18, 20, 24, 33]);
        assert_eq!(exponents(17), [3, 5, 6, 9, 10, 12, 17]);
        assert_eq!(exponents(20), [3, 5, 6, 9, 10, 12, 17, 18, 20]);
        assert_eq!(exponents(16), [3, 5, 6, 9, 10, 12]);
        assert_eq!(exponents(2), []);
        assert_eq!(exponents(3), [3]);
        for value in [0, 1, 7, 11, 65537, (1 << 16) + 2] {
            assert_eq!(HfeDegree::new(value), Err(ParameterError::Degree { degree: value }));
        }
    }

    #[test]
    fn refused_parameters() {
        assert!(Parameters::new(174, 513, 12, 12, 4).is_ok());
        assert!(Parameters::new(9, 513, 1, 1, 1).is_err());
        assert!(Parameters::new(174, 513, 174, 12, 4).is_err());
        assert!(Parameters::new(174, 513, 12, 851, 4).is_err());
        assert!(Parameters::new(174, 513, 12, usize::MAX, 4).is_err());
        assert!(Parameters::new(174, 513, 12, 12, 0).is_err());
        assert!(Parameters::new(174, 7, 12, 12, 4).is_err());
    }

    #[test]
    fn sizes_of_gemss() {
        let gemss128 = Parameters::new(174, 513, 12, 12, 4).unwrap();
        assert_eq!(gemss128.coefficients(), 245);
        assert_eq!(gemss128.signature_bits(), 258);
        assert_eq!(8 * gemss128.secret_words(), 17016);
        let fgemss256 = Parameters::new(537, 1152, 25, 26, 1).unwrap();
        assert_eq!(fgemss256.coefficients(), 701);
        assert_eq!(8 * fgemss256.secret_words(), 135_144);
    }
}
