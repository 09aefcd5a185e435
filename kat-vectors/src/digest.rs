//! The forms in which known-answer files are published as one digest.

use std::io::Write;

use sha1::Sha1;
use sha2::{Digest, Sha256};
use shake::{ExtendableOutput, Shake256, Update, XofReader};

use crate::response::{Answer, Output, OutputLengths, write_header};

/// Which bytes are hashed, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// SHA-256 of the .rsp file with header line and all blank lines.
    Rsp,
    /// SHA-256 of the entry of count 0 without header and blank line.
    Single,
    /// SHA-256 of the entries separated by one blank line, one line feed at the end, no header.
    All,
    /// SHA-256 of the public keys of all counts one after another.
    PkConcat,
    /// SHA-256 of the signed messages of all counts one after another.
    SmConcat,
    /// SHA-256 of the public key of count 0.
    Pk0,
    /// SHA-1 git object id of the .rsp file.
    GitBlob,
    /// The first 24 bytes of SHAKE256 of the .rsp file.
    Shake256x24,
    /// SUPERCOP's `checksumsmall`.
    ChecksumSmall,
    /// SUPERCOP's `checksumbig`.
    ChecksumBig,
}

impl Form {
    /// Every form.
    pub const ALL: [Form; 10] = [
        Form::Rsp,
        Form::Single,
        Form::All,
        Form::PkConcat,
        Form::SmConcat,
        Form::Pk0,
        Form::GitBlob,
        Form::Shake256x24,
        Form::ChecksumSmall,
        Form::ChecksumBig,
    ];

    /// The name used in manifests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Form::Rsp => "rsp",
            Form::Single => "single",
            Form::All => "all",
            Form::PkConcat => "pk-concat",
            Form::SmConcat => "sm-concat",
            Form::Pk0 => "pk0",
            Form::GitBlob => "git-blob",
            Form::Shake256x24 => "shake256-24",
            Form::ChecksumSmall => "checksumsmall",
            Form::ChecksumBig => "checksumbig",
        }
    }

    /// Length of the digest in bytes.
    #[must_use]
    pub const fn digest_len(self) -> usize {
        match self {
            Form::GitBlob => 20,
            Form::Shake256x24 => 24,
            _ => 32,
        }
    }

    /// Whether the form hashes the header line.
    #[must_use]
    pub const fn has_header(self) -> bool {
        matches!(self, Form::Rsp | Form::GitBlob | Form::Shake256x24)
    }

    /// Whether the form is made from known answers (and not by SUPERCOP's procedure).
    #[must_use]
    pub const fn is_of_answers(self) -> bool {
        !matches!(self, Form::ChecksumSmall | Form::ChecksumBig)
    }
}

enum Hasher {
    Sha256(Sha256),
    Sha1(Sha1),
    Shake(Shake256),
}

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Hasher::Sha256(hash) => Digest::update(hash, bytes),
            Hasher::Sha1(hash) => Digest::update(hash, bytes),
            Hasher::Shake(hash) => Update::update(hash, bytes),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Hashes answers, count after count, into one digest.
pub struct AnswerDigest {
    form: Form,
    hasher: Hasher,
    counts: usize,
    absorbed: usize,
}

impl AnswerDigest {
    /// A digest over the counts `0..counts`. `None` for the forms that are not made from answers.
    #[must_use]
    pub fn new(form: Form, header: &str, counts: usize, lengths: &OutputLengths) -> Option<Self> {
        let mut hasher = match form {
            Form::ChecksumSmall | Form::ChecksumBig => return None,
            Form::GitBlob => Hasher::Sha1(Sha1::new()),
            Form::Shake256x24 => Hasher::Shake(Shake256::default()),
            _ => Hasher::Sha256(Sha256::new()),
        };
        if form == Form::GitBlob {
            // Writing into a hash function cannot fail.
            let _ = write!(hasher, "blob {}\0", lengths.file_len(header, counts));
        }
        if form.has_header() {
            let _ = write_header(&mut hasher, header);
        }
        Some(Self { form, hasher, counts, absorbed: 0 })
    }

    /// Absorbs the next count. Counts beyond the last one are ignored.
    pub fn absorb(&mut self, answer: &Answer) {
        if self.absorbed == self.counts {
            return;
        }
        // Writing into a hash function cannot fail.
        let _ = match self.form {
            Form::Single => answer.write(&mut self.hasher),
            Form::All => {
                if self.absorbed > 0 {
                    let _ = self.hasher.write_all(b"\n");
                }
                answer.write(&mut self.hasher)
            }
            Form::PkConcat | Form::Pk0 => self.hasher.write_all(&answer.public_key),
            Form::SmConcat => self.hasher.write_all(match &answer.output {
                Output::SignedMessage(signed) => signed,
                Output::Encapsulation { ciphertext, .. } => ciphertext,
            }),
            _ => {
                let _ = answer.write(&mut self.hasher);
                self.hasher.write_all(b"\n")
            }
        };
        self.absorbed += 1;
    }

    /// The digest in lower-case hexadecimal; `None` while counts are missing.
    #[must_use]
    pub fn finish(self) -> Option<String> {
        if self.absorbed < self.counts {
            return None;
        }
        Some(match self.hasher {
            Hasher::Sha256(hash) => hex::encode(hash.finalize()),
            Hasher::Sha1(hash) => hex::encode(hash.finalize()),
            Hasher::Shake(hash) => {
                let mut bytes = [0; 24];
                hash.finalize_xof().read(&mut bytes);
                hex::encode(bytes)
            }
        })
    }
}
