//! Addresses as users write them.

use std::net::Ipv6Addr;

/// `HOST:PORT` as it is connected to or listened at: without a host it is on this machine, and an IPv6 address stands in brackets.
///
/// # Errors
/// Describes a valid address, if this is none.
pub fn address(text: &str) -> Result<String, &'static str> {
    let whole = if text.starts_with(':') {
        format!("127.0.0.1{text}")
    } else {
        text.to_owned()
    };
    let is_sound = whole
        .rsplit_once(':')
        .is_some_and(|(host, port)| is_host(host) && is_port(port));
    if is_sound {
        Ok(whole)
    } else {
        Err("an address is HOST:PORT, or :PORT on this machine")
    }
}

/// Returns true for a host name, an IPv4 address, or an IPv6 address in brackets.
pub(super) fn is_host(host: &str) -> bool {
    match host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => {
            !host.is_empty()
                && host
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "-._".contains(c))
        }
    }
}

fn is_port(port: &str) -> bool {
    port.parse::<u16>().is_ok() && !port.starts_with('+')
}

#[cfg(test)]
mod tests {
    use super::address;
    use crate::case_files::assert_lines;

    #[test]
    fn an_address_has_a_host_and_a_port_or_is_on_this_machine() {
        assert_lines("addresses", |text| format!("{:?}", address(text).ok()));
    }
}
