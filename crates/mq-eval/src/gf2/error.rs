//! Why bytes are not a quadratic system.

/// Why bytes, words or sizes were refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// More variables or equations than [`super::Shape::MAX`], or a shape that the layout is not defined for.
    #[error("a system of {equations} equations in {variables} variables is out of range for this layout")]
    Shape {
        /// Number of variables.
        variables: usize,
        /// Number of equations.
        equations: usize,
    },
    /// A wrong number of bytes.
    #[error("the system has {actual} bytes, expected {expected}")]
    Length {
        /// The length that the layout prescribes.
        expected: usize,
        /// The length that was given.
        actual: usize,
    },
    /// A bit that the layout fixes at zero is set.
    #[error("non-zero padding bit in byte {byte} of the system")]
    Padding {
        /// Offset of the byte that holds the bit.
        byte: usize,
    },
}
