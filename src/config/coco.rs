//! Addresses as users write them, and servers of matches: `coco://HOST:PORT/ID?KEY=VALUE&…`.

use std::net::Ipv6Addr;
use std::str::FromStr;
use std::time::Duration;

use super::Address;
use super::reach::unreachable;
use crate::diagnostic::{Problem, suggest};

/// Prefix of such an address.
pub const SCHEME: &str = "coco://";

/// The port where an address names none.
const USUAL_PORT: &str = "8088";

/// The keys after the question mark.
const KEYS: [&str; 5] = ["password", "title", "game", "timeout", "pace"];

/// A server on which a match is created for every game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arena {
    /// Address that the server listens at.
    pub address: Address,
    /// Title of the match in the lobby; `None` is urtext's default title.
    pub title: Option<String>,
    /// Password for joining players.
    pub password: Option<String>,
}

impl From<Address> for Arena {
    fn from(address: Address) -> Arena {
        Arena {
            address,
            title: None,
            password: None,
        }
    }
}

impl Arena {
    /// Returns true if a player may have this name: 1 to 16 visible ASCII characters without a dollar sign,
    /// which marks the server's own players.
    #[must_use]
    pub fn takes_name(name: &str) -> bool {
        (1..=16).contains(&name.len())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && byte != b'$')
    }
}

/// An address of a server, or of a match there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CocoUrl {
    /// `HOST:PORT`.
    pub server: String,
    /// The match.
    pub id: Option<String>,
    /// Title of a new match.
    pub title: Option<String>,
    /// Password for joining players.
    pub password: Option<String>,
    /// The server's name of the game.
    pub game: Option<String>,
    /// The timeout of a new match.
    pub timeout: Option<Duration>,
    /// The pace of a new match.
    pub pace: Option<Duration>,
}

impl CocoUrl {
    /// Returns true if a text has the form of a URL, of this scheme or another.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        text.split_once("://").is_some_and(|(scheme, _)| {
            !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    }

    /// The server as that of a subject.
    ///
    /// # Errors
    /// Fails if the address names a match.
    pub fn arena(&self) -> Result<Arena, Problem> {
        if self.id.is_some() {
            return unreachable(
                "this is the address of a match, and a match is created for every game",
                "write the server alone, `coco://HOST:PORT/`",
            );
        }
        let (title, password) = (self.title.clone(), self.password.clone());
        Ok(Arena {
            address: Address::At(self.server.clone()),
            title,
            password,
        })
    }

    fn set(&mut self, key: &str, value: String) -> Result<(), Problem> {
        let time = |value: &str| match humantime::parse_duration(value) {
            Ok(time) => Ok(Some(time)),
            Err(_) => unreachable(
                format!("`{key}` has to be a length of time"),
                "write it such as `300ms`",
            ),
        };
        match key {
            "password" => self.password = Some(value),
            "title" => self.title = Some(value),
            "game" => self.game = Some(value),
            "timeout" => self.timeout = time(&value)?,
            "pace" => self.pace = time(&value)?,
            _ => {
                let help = match suggest(key, KEYS) {
                    Some(meant) => format!("write `{meant}`"),
                    None => format!(
                        "the keys are {}",
                        KEYS.map(|key| format!("`{key}`")).join(", ")
                    ),
                };
                return unreachable(format!("`{key}` says nothing here"), help);
            }
        }
        Ok(())
    }
}

impl FromStr for CocoUrl {
    type Err = Problem;

    fn from_str(text: &str) -> Result<CocoUrl, Problem> {
        let title = || format!("the address of a server of matches begins with `{SCHEME}`");
        let rest = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("coco") => rest,
            Some(("cocos" | "wss" | "https", _)) => {
                return unreachable(
                    title(),
                    "reach a server behind TLS through a tunnel that ends it on this machine",
                );
            }
            Some(("ws" | "http", rest)) => {
                return unreachable(title(), format!("write `{SCHEME}{rest}`"));
            }
            _ => return unreachable(title(), "write `coco://HOST:PORT/`"),
        };
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (server, id) = place.split_once('/').unwrap_or((place, ""));
        let has_port = server
            .rsplit_once(':')
            .is_some_and(|(_, port)| !port.contains(']'));
        let server = if has_port {
            server.to_owned()
        } else {
            format!("{server}:{USUAL_PORT}")
        };
        // A server is never at port 0.
        let is_address = address(&server).is_ok_and(|whole| whole == server);
        let is_address = is_address && !server.ends_with(":0");
        if !is_address {
            return unreachable(
                "there is no server in this address",
                "write `coco://HOST:PORT/`",
            );
        }
        let id = decoded(id)?;
        if id.contains('/') {
            return unreachable(
                "the id of a match has no `/`",
                "write `coco://HOST:PORT/ID`",
            );
        }
        let mut url = CocoUrl {
            server,
            id: (!id.is_empty()).then_some(id),
            ..CocoUrl::default()
        };
        for setting in query.split('&').filter(|setting| !setting.is_empty()) {
            let Some((key, value)) = setting.split_once('=') else {
                return unreachable(
                    format!("`{setting}` sets nothing"),
                    "write KEY=VALUE after the question mark",
                );
            };
            url.set(key, decoded(value)?)?;
        }
        Ok(url)
    }
}

/// The address of a match on the server `HOST:PORT`, whatever its id is.
#[must_use]
pub fn match_url(server: &str, id: &str) -> String {
    let mut url = format!("{SCHEME}{server}/");
    for byte in id.bytes() {
        match byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            true => url.push(byte.into()),
            false => url += &format!("%{byte:02X}"),
        }
    }
    url
}

/// Text in which `%` and two digits stand for a byte, so that it can hold `&`, `?` and `/`.
fn decoded(text: &str) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = after
            .get(..2)
            .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let byte = digits
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        let Some(byte) = byte else {
            return unreachable(
                "after `%` two hexadecimal digits are due",
                "write %25 for a percent sign",
            );
        };
        bytes.push(byte);
        rest = &after[2..];
    }
    let text = String::from_utf8(bytes)
        .ok()
        .filter(|text| !text.contains(char::is_control));
    text.map_or_else(
        || {
            unreachable(
                "there are control characters in this address",
                "leave them out",
            )
        },
        Ok,
    )
}

/// Checks an address `HOST:PORT`. Without a host, it is one of this machine. An IPv6 address has brackets.
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
fn is_host(host: &str) -> bool {
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
    use super::{address, *};
    use crate::case_files::assert_lines;

    #[test]
    fn reads_servers_and_matches_and_says_what_is_wrong() {
        assert_lines("coco-addresses", |text| match text.parse::<CocoUrl>() {
            Ok(url) => format!("{url:?}, an arena: {}", url.arena().is_ok()),
            Err(error) => error.to_string(),
        });
        assert!(CocoUrl::is_meant("ws://h") && CocoUrl::is_meant("Coco://h"));
        for text in ["h:1", "games/a://b", "://"] {
            assert!(!CocoUrl::is_meant(text), "{text}");
        }
    }

    #[test]
    fn the_address_of_a_match_says_its_id_whatever_it_is() {
        for id in ["match1", "a?game=b&c", "50%", "é 1"] {
            let url: CocoUrl = match_url("h:1", id).parse().unwrap();
            assert_eq!(
                (url.server, url.id),
                ("h:1".to_owned(), Some(id.to_owned()))
            );
        }
    }

    #[test]
    fn names_are_short_and_visible() {
        for name in ["A", "PlayerA", "1234567890123456", "0!~"] {
            assert!(Arena::takes_name(name), "{name}");
        }
        for name in ["", "12345678901234567", "a b", "a$", "é", "\u{7f}"] {
            assert!(!Arena::takes_name(name), "{name}");
        }
    }

    #[test]
    fn an_address_has_a_host_and_a_port_or_is_on_this_machine() {
        assert_lines("addresses", |text| format!("{:?}", address(text).ok()));
    }
}
