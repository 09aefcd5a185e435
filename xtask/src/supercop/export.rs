//! A package for SUPERCOP: one directory that its own programs compile and test.
//!
//! SUPERCOP compiles the C and assembly files of a directory, each on its own, and takes no library. So the set is compiled to a
//! single assembly file: a crate without the standard library, all of its dependencies inlined by link-time optimisation, one
//! file of code whose only global symbols are the calls. A C file beside it has the names that SUPERCOP expects.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use schemes::registry::Set;
use schemes::{Family, Sizes};

use super::checksum::Size;

const LIBRARY: &str = include_str!("../../templates/supercop_library.rs");
const SIGN: &str = include_str!("../../templates/supercop_sign.rs");
const KEM: &str = include_str!("../../templates/supercop_kem.rs");

/// Why a package could not be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    /// A file could not be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    /// The compiler could not be started.
    #[error("could not start the compiler: {0}")]
    Start(std::io::Error),
    /// The compiler failed; its messages were shown.
    #[error("the set does not compile for SUPERCOP:\n{0}")]
    Compile(String),
    /// The compiler left no assembly file.
    #[error("the compiler left no assembly file in {0}")]
    NoAssembly(PathBuf),
    /// This processor's architecture has no name in SUPERCOP's lists here.
    #[error("packages are made on x86-64 and aarch64 only")]
    Architecture,
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|error| Error::File(path.to_owned(), error))
}

fn make_directory(path: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(path).map_err(|error| Error::File(path.to_owned(), error))
}

/// SUPERCOP's name of the primitive: its own for the sets that it has, letters and digits of
/// the registry name for others.
pub(super) fn primitive_name(set: &str) -> String {
    let name = set.strip_suffix("-r2").filter(|name| name.contains("gemss")).map(str::to_owned);
    let name = name.or_else(|| set.strip_suffix("-r2v2").map(|name| format!("{name}v2")));
    name.unwrap_or_else(|| {
        set.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
    })
}

/// Whether branches and addresses of the set's key generation, signing and decapsulation are independent of secrets, but for
/// what its specification makes public: how often an attempt is rejected.
fn constant_time(set: Set) -> bool {
    set.info().family != Family::DualModeMs
}

/// SUPERCOP's word for what a package claims.
pub(super) fn security_class(set: Set) -> &'static str {
    if constant_time(set) { "constbranchindex" } else { "timingleaks" }
}

/// SUPERCOP's name of the operation.
pub(super) const fn operation(set: Set) -> &'static str {
    match set {
        Set::Signature(_) => "crypto_sign",
        Set::Kem(_) => "crypto_kem",
    }
}

/// SUPERCOP's name of this machine's architecture, if it is one that packages are made on.
pub(super) fn abi() -> Option<&'static str> {
    match std::env::consts::ARCH {
        "x86_64" => Some("amd64"),
        "aarch64" => Some("aarch64"),
        _ => None,
    }
}

/// Writes `crypto_sign/NAME/mqsuite` (or `crypto_kem`) below `directory` and returns its path.
pub(super) fn export(set: Set, sums: &[(Size, String)], directory: &Path) -> Result<PathBuf, Error> {
    let architecture = abi().ok_or(Error::Architecture)?;
    let operation = operation(set);
    let name = primitive_name(set.info().name);
    let primitive = directory.join(operation).join(&name);
    let implementation = primitive.join("mqsuite");
    make_directory(&implementation)?;
    for (size, sum) in sums {
        write(&primitive.join(size.file_name()), &format!("{sum}\n"))?;
    }
    let symbol = format!("mqsuite_{name}");
    write(&implementation.join("mqsuite.s"), &assembly(set, &symbol)?)?;
    write(&implementation.join("api.h"), &api(set))?;
    let glue = match set {
        Set::Signature(_) => SIGN_GLUE,
        Set::Kem(_) => KEM_GLUE,
    };
    write(&implementation.join("glue.c"), &glue.replace("@SYMBOL@", &symbol))?;
    write(&implementation.join("architectures"), &format!("{architecture}\n"))?;
    write(&implementation.join("implementors"), "The mqsuite developers\n")?;
    if constant_time(set) {
        for goal in ["goal-constbranch", "goal-constindex"] {
            write(&implementation.join(goal), "")?;
        }
    }
    Ok(implementation)
}

fn api(set: Set) -> String {
    let info = set.info();
    let mut text = format!("#define CRYPTO_VERSION \"{}\"\n", env!("CARGO_PKG_VERSION"));
    let mut define = |name: &str, value: usize| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "#define {name} {value}");
    };
    define("CRYPTO_PUBLICKEYBYTES", info.public_key);
    define("CRYPTO_SECRETKEYBYTES", info.secret_key);
    match info.sizes {
        Sizes::Signature { signature, .. } => define("CRYPTO_BYTES", signature),
        Sizes::Kem { ciphertext, shared_secret } => {
            define("CRYPTO_CIPHERTEXTBYTES", ciphertext);
            define("CRYPTO_BYTES", shared_secret);
        }
    }
    text
}

/// Compiles the set to one assembly file.
fn assembly(set: Set, symbol: &str) -> Result<String, Error> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let project = workspace.join("target").join("supercop").join(symbol);
    make_directory(&project.join("src"))?;
    let family = set.info().family.name();
    let (type_name, calls) = match set {
        Set::Signature(set) => (set.type_name(), SIGN),
        Set::Kem(set) => (set.type_name(), KEM),
    };
    let source = [LIBRARY, calls]
        .concat()
        .replace("@FAMILY@", family)
        .replace("@TYPE@", type_name)
        .replace("@SYMBOL@", symbol);
    write(&project.join("src").join("lib.rs"), &source)?;
    let schemes = workspace.join("crates").join("schemes");
    write(
        &project.join("Cargo.toml"),
        &format!(
            "[package]\nname = \"{symbol}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[lib]\ncrate-type = [\"staticlib\"]\n\n\
             [dependencies]\nschemes = {{ path = {schemes:?}, default-features = false, features = [{family:?}] }}\n\
             rand_core = {{ version = \"0.10\", default-features = false }}\n\n\
             [profile.release]\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\n\n[workspace]\n"
        ),
    )?;
    let lock = workspace.join("Cargo.lock");
    if lock.exists() {
        std::fs::copy(&lock, project.join("Cargo.lock")).map_err(|error| Error::File(lock, error))?;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // One directory for all packages: sets of a family are built from the same compiled crates.
    let built = workspace.join("target").join("supercop").join("build");
    let deps = built.join("release").join("deps");
    remove_assembly(&deps, symbol);
    let output = Command::new(cargo)
        .current_dir(&project)
        .env("CARGO_TARGET_DIR", &built)
        .args(["rustc", "--release", "--quiet", "--", "--emit", "asm"])
        .output()
        .map_err(Error::Start)?;
    if !output.status.success() {
        return Err(Error::Compile(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let file = assembly_files(&deps, symbol).next().ok_or_else(|| Error::NoAssembly(deps.clone()))?;
    let text = std::fs::read_to_string(&file).map_err(|error| Error::File(file, error))?;
    Ok(without_debug_information(&text))
}

fn assembly_files(directory: &Path, package: &str) -> impl Iterator<Item = PathBuf> + use<> {
    let begin = format!("{package}-");
    std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).filter(
        move |path| {
            path.extension().is_some_and(|extension| extension == "s")
                && path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&begin))
        },
    )
}

/// An assembly file of an earlier compiler run would be taken for the new one.
fn remove_assembly(directory: &Path, package: &str) {
    for file in assembly_files(directory, package) {
        // What cannot be removed is found again below and overwritten by the compiler.
        let _ = std::fs::remove_file(file);
    }
}

/// Drops source positions and debug sections: they name files of this machine, and older assemblers refuse their syntax.
fn without_debug_information(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut in_debug_section = false;
    for line in text.lines() {
        let code = line.trim_start();
        if code.starts_with(".section") {
            in_debug_section = code.contains(".debug_");
        } else if code.starts_with(".text") || code.starts_with(".data") {
            in_debug_section = false;
        }
        if in_debug_section
            || code.starts_with(".loc\t")
            || code.starts_with(".file\t")
            || code.starts_with(".ident")
        {
            continue;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    kept
}

const SIGN_GLUE: &str = "\
#include \"crypto_sign.h\"
#include \"randombytes.h\"

typedef void (*draw)(unsigned char *, unsigned long long);
extern int @SYMBOL@_keypair(unsigned char *, unsigned char *, draw);
extern int @SYMBOL@_sign(unsigned char *, unsigned long long *, const unsigned char *, unsigned long long, const unsigned char *, draw);
extern int @SYMBOL@_open(unsigned char *, unsigned long long *, const unsigned char *, unsigned long long, const unsigned char *);

static void draw_bytes(unsigned char *x, unsigned long long n) { randombytes(x, n); }

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk) { return @SYMBOL@_keypair(pk, sk, draw_bytes); }

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen, const unsigned char *sk) {
    return @SYMBOL@_sign(sm, smlen, m, mlen, sk, draw_bytes);
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen, const unsigned char *pk) {
    return @SYMBOL@_open(m, mlen, sm, smlen, pk);
}
";

const KEM_GLUE: &str = "\
#include \"crypto_kem.h\"
#include \"randombytes.h\"

typedef void (*draw)(unsigned char *, unsigned long long);
extern int @SYMBOL@_keypair(unsigned char *, unsigned char *, draw);
extern int @SYMBOL@_enc(unsigned char *, unsigned char *, const unsigned char *, draw);
extern int @SYMBOL@_dec(unsigned char *, const unsigned char *, const unsigned char *);

static void draw_bytes(unsigned char *x, unsigned long long n) { randombytes(x, n); }

int crypto_kem_keypair(unsigned char *pk, unsigned char *sk) { return @SYMBOL@_keypair(pk, sk, draw_bytes); }

int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk) { return @SYMBOL@_enc(ct, ss, pk, draw_bytes); }

int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk) { return @SYMBOL@_dec(ss, ct, sk); }
";

#[cfg(test)]
mod tests {
    use super::{primitive_name, without_debug_information};

    #[test]
    fn primitives_have_the_names_of_the_original_packages() {
        assert_eq!(primitive_name("gemss128-r2"), "gemss128");
        assert_eq!(primitive_name("redgemss256-r2v2"), "redgemss256v2");
        assert_eq!(primitive_name("gui184"), "gui184");
        assert_eq!(primitive_name("mceliece6960119f"), "mceliece6960119f");
        assert_eq!(primitive_name("OV-Ip-pkc-r2"), "ovippkcr2");
    }

    #[test]
    fn only_debug_information_is_dropped() {
        let text = "\t.text\n\t.file\t\"x\"\nf:\n\t.loc\t1 2 0\n\tret\n\t.section\t.debug_info,\"\",@progbits\n\t.byte\t1\n\t.section\t.rodata\n\t.byte\t2\n";
        assert_eq!(without_debug_information(text), "\t.text\nf:\n\tret\n\t.section\t.rodata\n\t.byte\t2\n");
    }
}
