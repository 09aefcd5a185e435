//! The request side of NIST known-answer files: which seed and message each count has.

use crate::drbg::{NistDrbg, SEED_LEN};

/// What a known-answer file is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Signatures: every count has a message of 33 * (count + 1) bytes.
    Signature,
    /// Key encapsulation: no message.
    Kem,
}

/// The request of one count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The count, from 0.
    pub count: usize,
    /// Entropy of the generator that serves this count's key generation and signature or encapsulation.
    pub seed: [u8; SEED_LEN],
    /// The message to sign; empty for a KEM.
    pub message: Vec<u8>,
}

/// The requests of counts 0, 1, 2, ... in order, without end.
#[derive(Clone)]
pub struct Requests {
    master: NistDrbg,
    kind: Kind,
    next: usize,
}

impl Requests {
    /// The requests of NIST's program (entropy 00 01 .. 2f).
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        Self::with_entropy(kind, NistDrbg::of_request_files())
    }

    /// The requests drawn from another master generator.
    #[must_use]
    pub fn with_entropy(kind: Kind, master: NistDrbg) -> Self {
        Self { master, kind, next: 0 }
    }
}

impl Iterator for Requests {
    type Item = Request;

    fn next(&mut self) -> Option<Request> {
        let count = self.next;
        self.next += 1;
        let seed = self.master.draw();
        let message = match self.kind {
            Kind::Signature => {
                let mut message = vec![0; 33 * (count + 1)];
                self.master.generate(&mut message);
                message
            }
            Kind::Kem => Vec::new(),
        };
        Some(Request { count, seed, message })
    }
}

/// The text of a .req file with `counts` entries.
#[must_use]
pub fn request_file(kind: Kind, counts: usize) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    for request in Requests::new(kind).take(counts) {
        let _ = writeln!(text, "count = {}", request.count);
        let _ = writeln!(text, "seed = {}", hex::encode_upper(request.seed));
        match kind {
            Kind::Signature => {
                let _ = writeln!(text, "mlen = {}", request.message.len());
                let _ = writeln!(text, "msg = {}", hex::encode_upper(&request.message));
                text.push_str("pk =\nsk =\nsmlen =\nsm =\n\n");
            }
            Kind::Kem => text.push_str("pk =\nsk =\nct =\nss =\n\n"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn request_files_have_the_published_digests() {
        let signature = request_file(Kind::Signature, 100);
        assert_eq!(signature.len(), 349_057);
        assert_eq!(
            hex::encode(Sha256::digest(signature)),
            "81ff60e3ef698751e5572f0bb7f831f069605229c220ee1cf27a92572d6ebc7e"
        );
        let kem = request_file(Kind::Kem, 100);
        assert_eq!(kem.len(), 13_590);
        assert_eq!(
            hex::encode(Sha256::digest(kem)),
            "36c27b6089b8910733a01fea1136469769b3ca3c35f2b375cfcc592f2112cfaa"
        );
    }
}
