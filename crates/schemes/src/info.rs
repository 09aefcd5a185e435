//! The public facts about a parameter set: what the registry, the command line and the reports show.

/// A family of parameter sets, as commands name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// GeMSS and its colours, inner DualModeMS included.
    Gemss,
    /// Gui.
    Gui,
    /// The dual mode.
    DualModeMs,
    /// Unbalanced oil and vinegar.
    Uov,
    /// MAYO.
    Mayo,
    /// QR-UOV.
    QrUov,
    /// Classic McEliece.
    McEliece,
}

impl Family {
    /// Every family, in the order of the registry.
    pub const ALL: [Family; 7] = [
        Family::Gemss,
        Family::Gui,
        Family::DualModeMs,
        Family::Uov,
        Family::Mayo,
        Family::QrUov,
        Family::McEliece,
    ];

    /// The lower-case name used on command lines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Family::Gemss => "gemss",
            Family::Gui => "gui",
            Family::DualModeMs => "dualmodems",
            Family::Uov => "uov",
            Family::Mayo => "mayo",
            Family::QrUov => "qruov",
            Family::McEliece => "mceliece",
        }
    }
}

/// Who defines the bytes of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// An official submission or standard defines the bytes.
    Official,
    /// This project's format: no outside implementation defines the bytes.
    Project,
}

/// What is known about the security of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// No attack below the claimed level is known.
    NoKnownAttack,
    /// An attack is claimed, not settled.
    AttackClaimed,
    /// Broken: for research only.
    Broken,
    /// Replaced by a later round of the same scheme.
    Superseded,
    /// A toy for tests, never secure.
    Toy,
}

/// A dated security status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Status {
    /// The verdict.
    pub verdict: Verdict,
    /// When it was entered here, `YYYY-MM-DD`.
    pub date: &'static str,
    /// The source: paper, standard or announcement.
    pub source: &'static str,
}

/// The order of the two parts of a signed message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SignedMessageOrder {
    /// signature || message
    SignatureFirst,
    /// message || signature
    MessageFirst,
}

/// Lengths in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sizes {
    /// A signature scheme.
    Signature {
        /// Length of a signature.
        signature: usize,
        /// Order of the parts of a signed message.
        order: SignedMessageOrder,
    },
    /// A key encapsulation mechanism.
    Kem {
        /// Length of a ciphertext.
        ciphertext: usize,
        /// Length of a shared secret.
        shared_secret: usize,
    },
}

/// The facts about one parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetInfo {
    /// Registry name, unique.
    pub name: &'static str,
    /// Other names under which lookup finds it. Lookup ignores case.
    pub aliases: &'static [&'static str],
    /// Family.
    pub family: Family,
    /// Round, package or version, as a person would say it (`"NIST round 2"`).
    pub version: &'static str,
    /// NIST security category that the designers claim (1 to 5; 0 for a toy).
    pub level: u8,
    /// Who defines the bytes.
    pub origin: Origin,
    /// Security status.
    pub status: Status,
    /// Length of a public key in bytes.
    pub public_key: usize,
    /// Length of a secret key in bytes.
    pub secret_key: usize,
    /// The other lengths.
    pub sizes: Sizes,
    /// The header line of a NIST .rsp file of this set, without `# `.
    pub kat_header: &'static str,
    /// False for sets that only a lookup by name finds (toys).
    pub listed: bool,
}

/// Which back end a kernel would use on this CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KernelBackend {
    /// The kernel (`"GF(2^174) products"`).
    pub kernel: &'static str,
    /// Name of the back end (`"vpclmulqdq"`).
    pub backend: &'static str,
}
