//! What a set is: parameters and package, and the lengths that follow.

use hfev::Parameters;
use mq_eval::gf2::{Layout, Shape};

use crate::{Family, Origin, SetInfo, SignedMessageOrder, Sizes, Status, Verdict};

/// A package of reference code: byte formats and consumption of randomness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Package {
    /// The third-round submission of October 2020: a seed as secret key, minimal public key; a quadratic factor is split
    /// without randomness where n is odd.
    Round3,
    /// "GeMSS-Round2_V2" of April 2020: the formats of the third round, every factor split with randomness.
    Round2Version2,
    /// The second-round submission of 2019: expanded secret key, public key in 64-bit words, every factor split with randomness.
    Round2,
}

impl Package {
    const fn version(self) -> &'static str {
        match self {
            Package::Round3 => "NIST round 3 (October 2020)",
            Package::Round2Version2 => "NIST round 2, version 2 (April 2020)",
            Package::Round2 => "NIST round 2 (2019)",
        }
    }
}

/// A parameter set.
#[derive(Clone, Copy)]
pub(super) struct Definition {
    pub(super) name: &'static str,
    pub(super) aliases: &'static [&'static str],
    /// The name in the header of the official .rsp files.
    pub(super) title: &'static str,
    /// Claimed security in bits: 128, 192 or 256. Chooses the hash functions.
    pub(super) security: usize,
    pub(super) parameters: Parameters,
    pub(super) package: Package,
}

const STATUS: Status = Status {
    verdict: Verdict::Broken,
    date: "2026-11-30",
    source: "Tao, Petzoldt, Ding, Efficient Key Recovery for All HFE Signature Variants, CRYPTO 2021",
};

impl Definition {
    /// The shape of the public system. The numbers of every set are within bounds: their sizes are computed at compile time.
    #[allow(clippy::panic, reason = "would stop the compilation")]
    pub(super) const fn shape(&self) -> Shape {
        match Shape::new(self.parameters.variables(), self.parameters.equations()) {
            Ok(shape) => shape,
            Err(_) => panic!("a set within the bounds of mq-eval"),
        }
    }

    pub(super) const fn layout(&self) -> Layout {
        match self.package {
            Package::Round3 | Package::Round2Version2 => Layout::ByteHybrid,
            // the three sets of 256 bits
            Package::Round2 if self.parameters.equations() == 324 => Layout::WordHybrid,
            Package::Round2 => Layout::WordRows,
        }
    }

    pub(super) const fn secret_len(&self) -> usize {
        match self.package {
            Package::Round3 | Package::Round2Version2 => self.security / 8,
            Package::Round2 => {
                let (n, variables) = (self.parameters.field_degree(), self.parameters.variables());
                8 * (self.parameters.coefficient_words()
                    + variables * variables.div_ceil(64)
                    + n * n.div_ceil(64))
            }
        }
    }

    pub(super) const fn info(&self) -> SetInfo {
        SetInfo {
            name: self.name,
            aliases: self.aliases,
            family: Family::Gemss,
            version: self.package.version(),
            level: (self.security / 64 * 2 - 3) as u8,
            origin: Origin::Official,
            status: STATUS,
            public_key: self.layout().len(self.shape()),
            secret_key: self.secret_len(),
            sizes: Sizes::Signature {
                signature: self.parameters.signature_bits().div_ceil(8),
                order: SignedMessageOrder::SignatureFirst,
            },
            kat_header: self.title,
            listed: true,
        }
    }
}
