//! The compiler and the emulator. The toolchain at hand serves if it has the target's library; otherwise a compiler and the
//! sources of its library, like the emulator, are unpacked from the distribution's packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::output::complain;

/// A compiler with the sources of its own library, and what it needs to run.
const COMPILER: &[&str] = &[
    "rustc-web",
    "libstd-rust-web-1.96",
    "libstd-rust-web-dev",
    "rust-web-src",
    "libllvm22",
    "libedit2",
    "libbsd0",
    "libmd0",
    "libtinfo6",
    "libz3-4",
    "libxml2",
    "libicu72",
];
const EMULATOR: &str = "qemu-system-arm";

/// Where the tools are.
pub(super) struct Tools {
    /// `target/arm`.
    pub(super) directory: PathBuf,
    /// A compiler with the sources of its library, behind a script that finds its libraries; `None` where the toolchain at hand has
    /// the compiled library of the target.
    pub(super) rustc: Option<PathBuf>,
    /// The emulator, likewise.
    pub(super) emulator: PathBuf,
    /// The linker of this machine's toolchain.
    pub(super) linker: PathBuf,
}

impl Tools {
    /// The compiler's name and version.
    pub(super) fn compiler(&self) -> anyhow::Result<String> {
        let rustc = self.rustc.clone().unwrap_or_else(|| "rustc".into());
        let output = Command::new(&rustc).arg("--version").output().context("rustc")?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// Finds the tools, and sets up what is missing.
pub(super) fn tools() -> anyhow::Result<Tools> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/arm");
    std::fs::create_dir_all(&directory).with_context(|| directory.display().to_string())?;
    let directory = directory.canonicalize()?;
    let root = directory.join("root");
    let rustc = if has_target_library() { None } else { Some(directory.join("rustc")) };
    let emulator = directory.join(EMULATOR);
    if !(rustc.as_ref().is_none_or(|path| path.is_file()) && emulator.is_file()) {
        ensure!(std::env::consts::ARCH == "x86_64", "the packages are those of an x86-64 Debian");
        let apt = Apt::new(&directory)?;
        complain("arm: reading the package lists");
        apt.update()?;
        complain("arm: downloading");
        let mut packages = apt.missing_for(EMULATOR)?;
        if rustc.is_some() {
            packages.extend(COMPILER.iter().map(|&name| name.to_owned()));
        }
        apt.download(&packages)?;
        complain("arm: unpacking");
        unpack_all(&directory.join("packages"), &root)?;
        if let Some(rustc) = &rustc {
            script(rustc, &root, "usr/bin/rustc")?;
        }
        script(&emulator, &root, &format!("usr/bin/{EMULATOR}"))?;
    }
    Ok(Tools { linker: linker()?, directory, rustc, emulator })
}

/// The package tool, with lists and cache of its own.
struct Apt {
    options: Vec<String>,
    packages: PathBuf,
}

impl Apt {
    fn new(directory: &Path) -> anyhow::Result<Self> {
        let lists = directory.join("lists");
        let cache = directory.join("cache");
        let packages = directory.join("packages");
        for path in [&lists.join("partial"), &cache.join("archives/partial"), &packages] {
            std::fs::create_dir_all(path).with_context(|| path.display().to_string())?;
        }
        let options = [
            format!("Dir::State::Lists={}", lists.display()),
            format!("Dir::Cache={}", cache.display()),
            "APT::Sandbox::User=root".into(),
            // a machine without a network is told so soon
            "Acquire::Retries=1".into(),
            "Acquire::http::Timeout=20".into(),
            "Acquire::https::Timeout=20".into(),
        ];
        let options = options.into_iter().flat_map(|option| ["-o".to_owned(), option]).collect();
        Ok(Self { options, packages })
    }

    fn run(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let output = Command::new("apt-get")
            .args(&self.options)
            .arg("-qq")
            .args(arguments)
            .current_dir(&self.packages)
            .output()
            .context("apt-get is missing: the ARM tools come from Debian's packages")?;
        if !output.status.success() {
            bail!("apt-get {} failed:\n{}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn update(&self) -> anyhow::Result<()> {
        self.run(&["update"]).map(|_| ())
    }

    /// `package` and those of its dependencies that this machine does not have.
    fn missing_for(&self, package: &str) -> anyhow::Result<Vec<String>> {
        let listing = self.run(&["install", "--print-uris", "--yes", "--no-install-recommends", package])?;
        let mut names: Vec<String> = listing
            .lines()
            .filter(|line| line.starts_with('\''))
            .filter_map(|line| line.split_whitespace().nth(1))
            .filter_map(|file| file.split('_').next())
            .map(str::to_owned)
            .collect();
        if !names.iter().any(|name| name == package) {
            names.push(package.to_owned());
        }
        Ok(names)
    }

    fn download(&self, packages: &[String]) -> anyhow::Result<()> {
        let mut arguments = vec!["download"];
        arguments.extend(packages.iter().map(String::as_str));
        self.run(&arguments).map(|_| ())
    }
}

fn unpack_all(packages: &Path, root: &Path) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(packages)? {
        let package = entry?.path();
        if package.extension().is_none_or(|extension| extension != "deb") {
            continue;
        }
        let status =
            Command::new("dpkg-deb").arg("-x").arg(&package).arg(root).status().context("dpkg-deb")?;
        ensure!(status.success(), "{} cannot be unpacked", package.display());
    }
    Ok(())
}

/// Writes a script that runs `program` of `root` with the libraries of `root`.
fn script(path: &Path, root: &Path, program: &str) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let root = root.display();
    let libraries = "usr/lib/x86_64-linux-gnu";
    let text = format!(
        "#!/bin/sh\nLD_LIBRARY_PATH='{root}/{libraries}:{root}/lib/x86_64-linux-gnu:{root}/{libraries}/pulseaudio' \
         exec '{root}/{program}' \"$@\"\n"
    );
    std::fs::write(path, text).with_context(|| path.display().to_string())?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
    let version = Command::new(path).arg("--version").output()?;
    ensure!(version.status.success(), "{program} does not run: {}", String::from_utf8_lossy(&version.stderr));
    complain(String::from_utf8_lossy(&version.stdout).lines().next().unwrap_or_default());
    Ok(())
}

/// Whether the toolchain at hand has the compiled core library of the target.
fn has_target_library() -> bool {
    let printed =
        Command::new("rustc").args(["--print", "target-libdir", "--target", super::TARGET]).output();
    let Ok(output) = printed else { return false };
    let directory = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    std::fs::read_dir(directory).is_ok_and(|entries| {
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
    })
}

/// `rust-lld` of the toolchain that runs this command.
fn linker() -> anyhow::Result<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().context("rustc")?;
    let sysroot = PathBuf::from(String::from_utf8(output.stdout)?.trim());
    let linker = sysroot.join("lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld");
    ensure!(linker.is_file(), "the toolchain has no rust-lld at {}", linker.display());
    Ok(linker)
}
