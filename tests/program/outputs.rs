//! Files and streams that results are written to.

use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::process::{Command, Stdio};

use nix::sys::stat::{Mode, SFlag, makedev, mknod};
use nix::unistd::mkfifo;

use crate::harness::{Place, Ran, URTEXT};

/// A finished game.
const GAME: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/snapshots/royalur/referee/seed-example.txt"
);

/// Every kind of output that a user names, up to the name of the file.
const OUTPUTS: [&[&str]; 3] = [
    &["replay", GAME, "--to", "spectator", "-o"],
    &["replay", GAME, "--html"],
    &["run", "--suite", "royalur/bot/first-seat", "--report"],
];

/// The arguments that write the output of this name.
fn to(output: &[&str], name: &str) -> Vec<String> {
    let mut words: Vec<String> = output.iter().copied().map(str::to_owned).collect();
    words.push(match output.last() {
        Some(&"--report") => format!("json={name}"),
        _ => name.to_owned(),
    });
    words
}

/// Runs urtext by a shell in that folder, with a redirection in the shell's own words.
fn redirected(place: &Place, args: &[String], redirection: &str) -> Ran {
    let script = format!("exec \"$0\" \"$@\" {redirection}");
    let mut command = Command::new("bash");
    command.args(["-c", &script, URTEXT]).args(args);
    command.env_remove("CI").current_dir(place.path());
    Ran::of(&mut command)
}

#[test]
fn an_output_keeps_what_it_is_written_to() {
    let place = Place::new();
    mkfifo(&place.join("pipe"), Mode::from_bits_truncate(0o600)).unwrap();
    fs::write(place.join("target"), "old").unwrap();
    fs::set_permissions(place.join("target"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("target", place.join("link")).unwrap();
    let read = Mode::from_bits_truncate(0o666);
    let made = mknod(&place.join("null"), SFlag::S_IFCHR, read, makedev(1, 3));
    let has_device = made.is_ok() && File::options().write(true).open(place.join("null")).is_ok();
    if !has_device {
        eprintln!("skipped for devices: none can be made here");
    }
    for output in OUTPUTS {
        let run = |name: &str| {
            let args = to(output, name);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            place.urtext(&args).expect(0)
        };
        let reader = {
            let pipe = place.join("pipe");
            std::thread::spawn(move || fs::read(pipe).unwrap())
        };
        run("pipe");
        let piped = reader.join().unwrap();
        assert!(!piped.is_empty(), "{output:?}");
        let kind = place.join("pipe").symlink_metadata().unwrap().file_type();
        assert!(kind.is_fifo(), "{output:?}");
        run("link");
        assert!(place.join("link").is_symlink(), "{output:?}");
        let target = place.join("target").metadata().unwrap();
        assert!(target.is_file() && target.len() > 3, "{output:?}");
        assert_eq!(target.permissions().mode() & 0o777, 0o640, "{output:?}");
        if has_device {
            run("null");
            let kind = place.join("null").symlink_metadata().unwrap().file_type();
            assert!(kind.is_char_device(), "{output:?}");
        }
    }
}

#[test]
fn a_name_of_a_descriptor_is_that_descriptor() {
    for output in OUTPUTS {
        let place = Place::new();
        // A descriptor that is opened anew would begin at the start of the file.
        fs::write(place.join("out"), "before\n").unwrap();
        redirected(&place, &to(output, "/dev/fd/7"), "7>>out").expect(0);
        let text = place.read("out");
        assert!(
            text.starts_with("before\n") && text.len() > 20,
            "{output:?}: {text}"
        );
        let ran = redirected(&place, &to(output, "/dev/stdout"), "| cat");
        assert!(
            ran.code == Some(0) && !ran.stdout.is_empty(),
            "{output:?}: {ran:#?}"
        );
        let args = to(output, "/dev/fd/9");
        let ran = redirected(&place, &args, "9> >(cat >copied)");
        assert_eq!(ran.code, Some(0), "{output:?}: {ran:#?}");
        let ran = redirected(&place, &to(output, "/dev/fd/8"), "8</dev/null");
        assert_eq!(ran.code, Some(3), "{output:?}: {ran:#?}");
        assert!(ran.stderr.contains("Bad file descriptor"), "{ran:#?}");
    }
    let place = Place::new();
    let ran = redirected(&place, &to(OUTPUTS[2], "/dev/stdout"), "").expect(0);
    // Only the report.
    assert!(
        ran.stdout.lines().all(|line| line.starts_with('{')),
        "{ran:#?}"
    );
}

/// One command for each way in which results are printed.
const PRINTED: [&[&str]; 14] = [
    &["--help"],
    &["--version"],
    &["help", "running"],
    &["help", "run"],
    &["replay", GAME, "--to", "spectator"],
    &["verify", "-v", GAME],
    &["verify", GAME, "--report", "json=-"],
    &["replay", "--print", GAME],
    &["replay", "--json", GAME],
    &["run", "--suite", "royalur/bot/first-seat"],
    &[
        "run",
        "--suite",
        "royalur/bot/first-seat",
        "--report",
        "json=-",
    ],
    &["run", "--list", "--suite", "royalur/bot"],
    &["schema"],
    &[
        "explore", "--game", "onitama", "--games", "1", "--seed", "1",
    ],
];

#[test]
fn a_full_disk_under_standard_output_is_3_and_a_closed_pipe_is_not() {
    let place = Place::new();
    for args in PRINTED {
        let run = |stdout: Stdio| {
            let mut command = place.command(args);
            let child = command.stdin(Stdio::null()).stdout(stdout);
            Ran::from(
                child
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap()
                    .wait_with_output()
                    .unwrap(),
            )
        };
        let ran = run(File::options()
            .write(true)
            .open("/dev/full")
            .unwrap()
            .into());
        assert_eq!(ran.code, Some(3), "{args:?}: {ran:#?}");
        let words = "standard output cannot be written: No space left on device";
        assert_eq!(ran.stderr.matches(words).count(), 1, "{args:?}: {ran:#?}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ran = run(writer.into());
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:#?}");
    }
}

#[test]
fn a_limit_of_the_size_of_files_is_an_error_and_holds_for_subjects_too() {
    let place = Place::new();
    let convert = [PRINTED[4], &["-o", "game"]].concat();
    place.urtext(&convert).expect(0);
    let limited = |args: &[&str]| {
        let mut command = Command::new("bash");
        command.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\"", URTEXT]);
        Ran::of(command.args(args).current_dir(place.path()))
    };
    limited(&convert)
        .expect(3)
        .complains("game cannot be written: File too large (os error 27)\n");
    // The subject is ended by the signal that urtext itself survives.
    let bot = "printf %s too >large; read a; read b; read c; read d; echo x";
    let suite = ["run", "--as", "bot", "--suite", "royalur/bot/first-seat"];
    limited(&[&suite[..], &["--", "bash", "-c", bot]].concat())
        .says("killed by signal 25 (SIGXFSZ)");
}
