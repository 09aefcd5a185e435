//! Manifests of the known-answer vectors.
