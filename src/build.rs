//! Rebuilds the binary when a shipped scenario, golden or catalogue changes: they are embedded.

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-changed=scenarios");
    println!("cargo::rerun-if-changed=snapshots");
}
