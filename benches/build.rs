//! Lets foreign libraries that the measuring program loads find its `randombytes`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-bin=measure=-Wl,--export-dynamic-symbol=randombytes");
    }
}
