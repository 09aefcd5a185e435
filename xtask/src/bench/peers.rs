//! What compiling the peers needs besides Rust, and how to get it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where distributions and LLVM's own packages put libraries.
const LIBRARY_DIRECTORIES: &[&str] =
    &["/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"];

const CMAKE: &str = "cmake is missing, which builds liboqs: `apt install cmake`, or `pip install cmake`";
const C_COMPILER: &str = "a C compiler is missing: `apt install gcc`";
const LIBCLANG: &str = "libclang was not found, with which the interface of liboqs is read: `apt install libclang-dev`, or `pip install libclang` \
                        and LIBCLANG_PATH set to the directory `clang/native` of that package";

/// What is missing, as advice to the user; empty where everything is there.
pub(super) fn missing() -> Vec<&'static str> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut advice = Vec::new();
    if !starts("cmake") {
        advice.push(CMAKE);
    }
    if !starts(&compiler) {
        advice.push(C_COMPILER);
    }
    if !has_libclang(&libclang_directories()) {
        advice.push(LIBCLANG);
    }
    advice
}

fn starts(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn libclang_directories() -> Vec<PathBuf> {
    let mut directories: Vec<PathBuf> = LIBRARY_DIRECTORIES.iter().map(PathBuf::from).collect();
    if let Some(path) = std::env::var_os("LIBCLANG_PATH") {
        directories.push(path.into());
    }
    if let Ok(output) = Command::new("llvm-config").arg("--libdir").output() {
        directories.push(String::from_utf8_lossy(&output.stdout).trim().into());
    }
    let versions = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten().map(|entry| entry.path());
    directories.extend(
        versions
            .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("llvm")))
            .map(|path| path.join("lib")),
    );
    directories
}

/// Whether one of the directories holds the library, or one of the paths is the library.
fn has_libclang(directories: &[PathBuf]) -> bool {
    let is_library = |path: &Path| {
        path.file_name().is_some_and(|name| {
            let name = name.to_string_lossy();
            name.starts_with("libclang.so") || name.starts_with("libclang-") || name == "libclang.dylib"
        })
    };
    directories.iter().any(|directory| {
        is_library(directory) && directory.exists()
            || std::fs::read_dir(directory)
                .into_iter()
                .flatten()
                .flatten()
                .any(|entry| is_library(&entry.path()))
    })
}

#[cfg(test)]
mod tests {
    use super::has_libclang;

    #[test]
    fn the_library_is_found_by_its_name() {
        let directory = std::env::temp_dir().join(format!("mqsuite-libclang-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a temporary directory");
        assert!(!has_libclang(std::slice::from_ref(&directory)));
        std::fs::write(directory.join("libclang.so.1"), "").expect("a file");
        assert!(has_libclang(std::slice::from_ref(&directory)));
        std::fs::remove_dir_all(&directory).expect("removed");
    }
}
