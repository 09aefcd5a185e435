//! Every flag of every command, in one place.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::backend::LevelName;

/// The commands of mqsuite.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub struct Cli {
    /// Highest CPU level that kernels may use; an error if this CPU cannot run it.
    #[arg(long, global = true, value_name = "LEVEL")]
    pub backend: Option<LevelName>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Known answers.
    #[command(subcommand)]
    Kat(KatCommand),
    /// Every parameter set: names, sizes, level, status, back ends.
    List(ListArguments),
    /// Measures key generation, signing and verification (encapsulation and decapsulation).
    Bench(BenchArguments),
    /// Measures, and writes the HTML report with plots.
    Report(ReportArguments),
    /// All that must hold before a change is accepted: format, lints, tests, known answers, builds without std.
    Ci(CiArguments),
    /// SUPERCOP's checksums, data lines and packages.
    #[command(subcommand)]
    Supercop(crate::supercop::Command),
    /// The C libraries and their header.
    Dist(crate::dist::Dist),
    /// MAYO on an emulated ARMv7-M board.
    #[command(subcommand)]
    Arm(crate::arm::Command),
}

/// The sets a command works on.
#[derive(Clone, Debug, Default, Args)]
pub struct SetArguments {
    /// Set names, family names (gemss, gui, dualmodems, uov, mayo, qruov, mceliece) or `all`; nothing means `all`.
    #[arg(value_name = "SET|FAMILY|all")]
    pub sets: Vec<String>,
}

/// Known answers.
#[derive(Debug, Subcommand)]
pub enum KatCommand {
    /// Regenerates the official vectors and compares their digests with the manifests.
    Verify(VerifyArguments),
    /// Regenerates every entry of a vector file and compares each field that it has.
    Check(CheckArguments),
    /// Writes a .rsp file.
    Gen(GenArguments),
    /// Opens a signed message: exit 0 if it is accepted, 1 if rejected.
    Open(OpenArguments),
}

/// `kat verify`.
#[derive(Clone, Debug, Default, Args)]
pub struct VerifyArguments {
    /// Which sets.
    #[command(flatten)]
    pub sets: SetArguments,
    /// Every digest over at most N counts (the smallest one of a set in any case).
    #[arg(long, value_name = "N", conflicts_with = "full")]
    pub counts: Option<usize>,
    /// Every digest of the manifests, however long it takes. Without this and --counts: the smallest one of each set.
    #[arg(long)]
    pub full: bool,
    /// The result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `kat check`.
#[derive(Clone, Debug, Args)]
pub struct CheckArguments {
    /// The vector files.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The parameter set, unless every entry has a `set` field.
    #[arg(long, value_name = "SET")]
    pub set: Option<String>,
    /// The result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `kat gen`.
#[derive(Clone, Debug, Args)]
pub struct GenArguments {
    /// The parameter set.
    #[arg(value_name = "SET")]
    pub set: String,
    /// Entropy of the request generator, 48 bytes in hexadecimal; NIST's program uses 00 01 .. 2f.
    #[arg(
        long,
        value_name = "HEX",
        default_value = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f"
    )]
    pub seed: String,
    /// How many entries.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub counts: usize,
    /// Where to write; stdout if not given.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `kat open`.
#[derive(Clone, Debug, Args)]
pub struct OpenArguments {
    /// The parameter set.
    #[arg(long, value_name = "SET")]
    pub set: String,
    /// Public key, raw or in hexadecimal.
    #[arg(long, value_name = "FILE")]
    pub pk: PathBuf,
    /// Signed message in the scheme's own order, raw or in hexadecimal.
    #[arg(long, value_name = "FILE")]
    pub sm: PathBuf,
}

/// `list`.
#[derive(Clone, Debug, Default, Args)]
pub struct ListArguments {
    /// Which sets.
    #[command(flatten)]
    pub sets: SetArguments,
    /// As JSON.
    #[arg(long)]
    pub json: bool,
}

/// `bench`.
#[derive(Clone, Debug, Default, Args)]
pub struct BenchArguments {
    /// Which sets. With --quick and nothing named: some sets of each family.
    #[command(flatten)]
    pub sets: SetArguments,
    /// Few repetitions: under a minute if no sets are named.
    #[arg(long)]
    pub quick: bool,
    /// Average, standard deviation and quartiles of each operation.
    #[arg(long)]
    pub stats: bool,
    /// SUPERCOP's tables: signing and opening over 48 message lengths, three columns each.
    #[arg(long)]
    pub lengths: bool,
    /// Measure in turn with the peers that the benchmark package knows (compiles them).
    #[arg(long)]
    pub peers: bool,
    /// Measure in turn with this shared library, which has the NIST API.
    #[arg(long, value_name = "PATH.so", requires = "peer_name")]
    pub peer_lib: Option<PathBuf>,
    /// What the table calls that library.
    #[arg(long, value_name = "NAME", requires = "peer_lib")]
    pub peer_name: Option<String>,
    /// What stands before crypto_sign_keypair, crypto_kem_enc, ... in that library.
    #[arg(long, value_name = "PREFIX", requires = "peer_lib", default_value = "")]
    pub peer_prefix: String,
    /// The results as JSON.
    #[arg(long)]
    pub json: bool,
    /// The rows as CSV.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

/// `report`.
#[derive(Clone, Debug, Args)]
pub struct ReportArguments {
    /// Which sets, as for bench.
    #[command(flatten)]
    pub sets: SetArguments,
    /// Few repetitions.
    #[arg(long)]
    pub quick: bool,
    /// Measure beside the peers too.
    #[arg(long)]
    pub peers: bool,
    /// Draw these results (of `bench --json` or --save) and measure nothing.
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// Keep the results as JSON.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Where the report goes.
    #[arg(long, value_name = "FILE", default_value = "target/report.html")]
    pub out: PathBuf,
}

/// `ci`.
#[derive(Clone, Debug, Default, Args)]
pub struct CiArguments {
    /// Leave out the builds for targets without std.
    #[arg(long)]
    pub skip_no_std: bool,
}
