//! The response side: one answered count, as text of a .rsp file.

use std::io::{self, Write};

use crate::request::Request;

/// What a scheme made of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The request.
    pub request: Request,
    /// Public key.
    pub public_key: Vec<u8>,
    /// Secret key.
    pub secret_key: Vec<u8>,
    /// What was made with them.
    pub output: Output,
}

/// The last fields of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// A signed message in the scheme's own order.
    SignedMessage(Vec<u8>),
    /// An encapsulation.
    Encapsulation {
        /// Ciphertext.
        ciphertext: Vec<u8>,
        /// Shared secret of the encapsulation.
        shared_secret: Vec<u8>,
    },
}

/// Lengths in bytes of what a set outputs: they fix the length of its .rsp files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputLengths {
    /// Public key.
    pub public_key: usize,
    /// Secret key.
    pub secret_key: usize,
    /// Signature, or (ciphertext, shared secret).
    pub output: OutputKind,
}

/// See [`OutputLengths::output`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// Length of a signature.
    Signature(usize),
    /// Lengths of ciphertext and shared secret.
    Encapsulation(usize, usize),
}

impl OutputLengths {
    /// Length in bytes of a .rsp file with this header and the counts `0..counts`.
    #[must_use]
    pub fn file_len(&self, header: &str, counts: usize) -> u64 {
        let field = |name: &str, bytes: usize| name.len() + 3 + 2 * bytes.max(1) + 1;
        let decimal = |name: &str, value: usize| name.len() + 3 + value.to_string().len() + 1;
        let keys = field("seed", 48) + field("pk", self.public_key) + field("sk", self.secret_key);
        let entry = |count: usize| {
            let message = 33 * (count + 1);
            let output = match self.output {
                OutputKind::Signature(signature) => {
                    let signed = message + signature;
                    decimal("mlen", message)
                        + field("msg", message)
                        + decimal("smlen", signed)
                        + field("sm", signed)
                }
                OutputKind::Encapsulation(ciphertext, secret) => {
                    field("ct", ciphertext) + field("ss", secret)
                }
            };
            (decimal("count", count) + keys + output + 1) as u64
        };
        (header.len() + 4) as u64 + (0..counts).map(entry).sum::<u64>()
    }
}

fn write_hex(out: &mut impl Write, name: &str, bytes: &[u8]) -> io::Result<()> {
    if bytes.is_empty() {
        // The reference program prints an empty string as one zero byte.
        return writeln!(out, "{name} = 00");
    }
    writeln!(out, "{name} = {}", hex::encode_upper(bytes))
}

/// Writes the header line of a .rsp file and its blank line.
///
/// # Errors
/// Those of `out`.
pub fn write_header(out: &mut impl Write, header: &str) -> io::Result<()> {
    write!(out, "# {header}\n\n")
}

impl Answer {
    /// Writes the lines of this count, without the blank line that ends an entry.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "count = {}", self.request.count)?;
        write_hex(out, "seed", &self.request.seed)?;
        match &self.output {
            Output::SignedMessage(signed) => {
                writeln!(out, "mlen = {}", self.request.message.len())?;
                write_hex(out, "msg", &self.request.message)?;
                write_hex(out, "pk", &self.public_key)?;
                write_hex(out, "sk", &self.secret_key)?;
                writeln!(out, "smlen = {}", signed.len())?;
                write_hex(out, "sm", signed)
            }
            Output::Encapsulation { ciphertext, shared_secret } => {
                write_hex(out, "pk", &self.public_key)?;
                write_hex(out, "sk", &self.secret_key)?;
                write_hex(out, "ct", ciphertext)?;
                write_hex(out, "ss", shared_secret)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{Kind, Requests};

    #[test]
    fn predicted_length_is_the_written_length() {
        for kind in [Kind::Signature, Kind::Kem] {
            let output = match kind {
                Kind::Signature => OutputKind::Signature(17),
                Kind::Kem => OutputKind::Encapsulation(20, 8),
            };
            let lengths = OutputLengths { public_key: 5, secret_key: 0, output };
            let mut file = Vec::new();
            write_header(&mut file, "NAME").expect("memory");
            for request in Requests::new(kind).take(12) {
                let output = match kind {
                    Kind::Signature => Output::SignedMessage(vec![7; request.message.len() + 17]),
                    Kind::Kem => Output::Encapsulation { ciphertext: vec![1; 20], shared_secret: vec![2; 8] },
                };
                Answer { request, public_key: vec![1; 5], secret_key: vec![], output }
                    .write(&mut file)
                    .expect("memory");
                file.push(b'\n');
            }
            assert_eq!(file.len() as u64, lengths.file_len("NAME", 12));
        }
    }
}
