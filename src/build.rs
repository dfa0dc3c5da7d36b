//! Rebuilds the binary when a shipped scenario, golden, catalogue or page changes: they are embedded.

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-changed=scenarios");
    println!("cargo::rerun-if-changed=snapshots");
    println!("cargo::rerun-if-changed=docs");
}
