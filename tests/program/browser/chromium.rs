//! Chromium without a window, driven by the DevTools protocol over a pair of pipes. It needs no port, and ends when the test's process does.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The programs that serve, the smallest first.
const PROGRAMS: [&str; 2] = ["chromium-headless-shell", "chromium"];

/// Nothing leaves the machine, and nothing is kept.
const ARGUMENTS: [&str; 11] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
];

/// A browser that has not answered for so long has broken.
const BROKEN: Duration = Duration::from_secs(120);

/// A browser with one page.
pub(super) struct Chromium {
    process: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    number: u64,
    troubles: Vec<String>,
    /// The document that the page shows, and the one that is loaded whole, each by the id of its loader.
    shown: Value,
    loaded: Value,
    _profile: TempDir,
}

/// A browser of this machine, if it has one.
fn program() -> Option<&'static str> {
    let path = std::env::var_os("PATH")?;
    let is_there =
        |program: &&str| std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    PROGRAMS.into_iter().find(is_there)
}

impl Chromium {
    /// Starts the browser with an empty page; `None` where there is no browser.
    pub(super) fn start() -> Option<Chromium> {
        let profile = tempfile::tempdir().unwrap();
        // The protocol is on the descriptors 3 and 4.
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>&1",
            program()?,
        ]);
        command.args(ARGUMENTS);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.process_group(0).spawn().unwrap();
        let commands = process.stdin.take().unwrap();
        let mut stream = BufReader::new(process.stdout.take().unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut message = Vec::new();
            while matches!(stream.read_until(0, &mut message), Ok(count) if count > 0) {
                let read = serde_json::from_slice(&message[..message.len() - 1]);
                if read.map(|message| sender.send(message)).is_err() {
                    break;
                }
                message.clear();
            }
        });
        let mut browser = Chromium {
            process,
            commands,
            messages,
            session: None,
            number: 0,
            troubles: Vec::new(),
            shown: Value::Null,
            loaded: Value::Null,
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let target = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", target);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Accessibility"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        let on = json!({"enabled": true});
        browser.call("Page.setLifecycleEventsEnabled", on);
        Some(browser)
    }

    /// Calls a method of the protocol and returns its result.
    #[track_caller]
    pub(super) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let mut command = json!({"id": self.number, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        self.commands
            .write_all(format!("{command}\0").as_bytes())
            .unwrap();
        loop {
            let mut message = self.next();
            if message["id"] == self.number {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].take();
            }
        }
    }

    /// The next message, which is noted if it is an event that counts.
    #[track_caller]
    fn next(&mut self) -> Value {
        let message = self
            .messages
            .recv_timeout(BROKEN)
            .expect("the browser answers");
        let (method, about) = (message["method"].as_str(), &message["params"]);
        match method {
            Some("Page.frameNavigated") => self.shown = about["frame"]["loaderId"].clone(),
            Some("Page.lifecycleEvent") if about["name"] == "load" => {
                self.loaded = about["loaderId"].clone();
            }
            Some("Runtime.exceptionThrown" | "Page.javascriptDialogOpening") => {
                self.troubles.push(about.to_string());
            }
            Some("Log.entryAdded") => self.troubles.push(about["entry"].to_string()),
            Some("Runtime.consoleAPICalled") => self.troubles.push(about["args"].to_string()),
            _ => {}
        }
        message
    }

    /// Opens a file, with a fragment of the address or nothing, and waits until it is loaded.
    #[track_caller]
    pub(super) fn open(&mut self, file: &Path, fragment: &str) {
        // From one fragment of a page to another nothing is loaded.
        self.visit("about:blank");
        self.visit(&format!("file://{}{fragment}", file.display()));
    }

    /// Does something by which another page is loaded, and waits until it is.
    #[track_caller]
    pub(super) fn leave_by(&mut self, leave: impl FnOnce(&mut Chromium)) {
        let left = self.shown.clone();
        leave(self);
        while self.shown == left || self.loaded != self.shown {
            self.next();
        }
    }

    /// Goes to an address and waits until this very document is loaded: the event of an earlier one may come late.
    #[track_caller]
    fn visit(&mut self, address: &str) {
        let document = self.call("Page.navigate", json!({"url": address}))["loaderId"].take();
        while self.shown != document || self.loaded != document {
            self.next();
        }
    }

    /// The value of an expression in the page; a promise is waited for.
    #[track_caller]
    pub(super) fn value(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut result = self.call("Runtime.evaluate", asked);
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {result}"
        );
        result["result"]["value"].take()
    }

    /// The text that an expression in the page gives.
    #[track_caller]
    pub(super) fn text(&mut self, expression: &str) -> String {
        let value = self.value(expression);
        let text = value.as_str();
        text.unwrap_or_else(|| panic!("{expression} is {value}"))
            .to_owned()
    }

    /// Waits until a condition holds in the page, whose own scripts may be off.
    #[track_caller]
    pub(super) fn until(&mut self, condition: &str) {
        let start = Instant::now();
        while self.value(condition) != true {
            assert!(start.elapsed() < BROKEN, "{condition} never holds");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Presses and releases a key, given by its name and the code that browsers know it by.
    #[track_caller]
    pub(super) fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            key => u32::from(key.to_ascii_uppercase().as_bytes()[0]),
        };
        let text = match key {
            "Enter" => "\r",
            key if key.len() == 1 => key,
            _ => "",
        };
        let down =
            json!({"type": "keyDown", "key": key, "text": text, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", down);
        let up = json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", up);
    }

    /// Presses these keys of one letter each.
    #[track_caller]
    pub(super) fn type_text(&mut self, text: &str) {
        text.chars().for_each(|key| self.press(&key.to_string()));
    }

    /// The middle of an element, after it was scrolled into view.
    #[track_caller]
    fn middle(&mut self, selector: &str) -> (f64, f64) {
        let found = self.value(&format!(
            "(() => {{ const element = document.querySelector(`{selector}`); element.scrollIntoView({{block: 'nearest'}}); \
             const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        (found[0].as_f64().unwrap(), found[1].as_f64().unwrap())
    }

    /// Clicks on the middle of an element.
    #[track_caller]
    pub(super) fn click(&mut self, selector: &str) {
        let (x, y) = self.middle(selector);
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Moves a finger over an element, so many points to the right.
    #[track_caller]
    pub(super) fn swipe(&mut self, selector: &str, right: f64) {
        let (x, y) = self.middle(selector);
        for (kind, points) in [
            ("touchStart", json!([{"x": x, "y": y}])),
            ("touchMove", json!([{"x": x + right, "y": y + 5.0}])),
            ("touchEnd", json!([])),
        ] {
            let event = json!({"type": kind, "touchPoints": points});
            self.call("Input.dispatchTouchEvent", event);
        }
    }

    /// What went wrong since the last call: errors, violations of the policy, dialogs, and everything that was written to the console.
    pub(super) fn troubles(&mut self) -> Vec<String> {
        std::mem::take(&mut self.troubles)
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let group = Pid::from_raw(i32::try_from(self.process.id()).unwrap());
        killpg(group, Signal::SIGKILL).ok();
        self.process.wait().ok();
    }
}
