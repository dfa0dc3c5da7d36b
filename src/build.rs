//! Rebuilds the binary when a shipped scenario, golden, catalogue or page changes: they are embedded. Links it for a quick start.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-changed=scenarios");
    println!("cargo::rerun-if-changed=snapshots");
    println!("cargo::rerun-if-changed=docs");
    // At a fixed address, the linker resolves the 14,000 pointers in the tables of the program. Otherwise each start resolves them and copies
    // their pages. The price: the program's code is at a known address. Stack, heap and libraries are not.
    let target = |name| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bin=urtext=-no-pie");
    }
}
