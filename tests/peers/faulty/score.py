"""Scores the diagnoses of urtext on the faulty subjects of `expected.json`.

Usage: score.py URTEXT [NAME…], or score.py URTEXT --half N. Runs each subject's whole suite, two subjects at a time. The reports stay in
a folder that the last line names. A cause is *right* if it matches all of the subject's `words`, and none is if none is expected; an
expected one may be *missing*; any other is *wrong*. The words only sort, so read the causes that the table shows.

Exit status: 1 if half 4 as a whole falls below the shares that are written here.
"""

import contextlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import faulty_c

# What half 4 reaches today, in percent.
LEAST = {"requirement": 88, "right": 84}
MOST = {"wrong": 3}

HERE = pathlib.Path(__file__).resolve().parent

# (game, side): options of urtext, and of the subject.
COMMANDS = {
    ("royalur", "referee"): (
        "--set rolls.environment=UR_ROLLS --set late-spectator=nothing",
        "--spectators {spectators} --timeout {timeout} --pace {pace} --names {first},{second} --seed {seed}",
    ),
    ("royalur", "bot"): ("", "--policy random --seed {seed}"),
    ("royalur", "server"): ("--set timeout=2s --set pace=0s", "--timeout 2"),
    ("onitama", "referee"): ("--game onitama", "--timeout {timeout} --seed {seed} --deal {deal} --starter {starter}"),
    ("onitama", "bot"): ("--game onitama", "{host} {port} --policy random --seed {seed}"),
    ("onitama", "server"): ("--game onitama --set timeout=3s", "--timeout 3 --games 1000 --seed 1"),
}

# The same for the programs in C.
C_COMMANDS = {
    "referee": (
        "--set rolls.environment=ROLLS --set late-spectator=nothing",
        "{port} {spectator_port} {spectators} {first} {second}",
    ),
    "bot": ("", ""),
}


@contextlib.contextmanager
def reached(subject, folder):
    """The options of urtext that start or reach the subject; None without a compiler for one in C. A server ends afterwards."""
    name, game, side = subject["name"], subject["game"], subject["side"]
    if subject["peer"].endswith(".c"):
        ours, theirs = C_COMMANDS[side]
        program = faulty_c.build(name, folder)
        peer = ["env", "TIMEOUT={timeout}", "PACE={pace}", program] if side == "referee" else [program]
    else:
        ours, theirs = COMMANDS[game, side]
        peer = [sys.executable, "-S", HERE / subject["peer"], "--fault", name]
    ours, command = ours.split(), [*peer, *theirs.split()]
    if None in command:
        yield None
    elif side != "server":
        yield ["--as", side, *ours, "--", *command]
    else:
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        address = re.search(r"players=(\S+)", server.stdout.readline())[1]
        threading.Thread(target=server.stdout.read, daemon=True).start()
        try:
            yield ["--as", "referee", *ours, "--connect", address]
        finally:
            server.kill()
            server.wait()


def run(urtext, subject, folder):
    """Runs the suite of one subject; returns the scenarios that failed, and else those with an error; None if it cannot be built."""
    report = folder / f"{subject['game']}-{subject['side']}-{subject['name']}.json"
    # A server plays one game after the other, which takes minutes for a whole suite.
    suite = f"--jobs 4 --suite {subject['game']}/{subject['side']}"
    with reached(subject, folder) as how:
        if how is None:
            return None
        arguments = ["run", *subject.get("play", suite).split(), "--report", f"json={report}", *how]
        subprocess.run([urtext, *arguments], cwd=folder, stdout=subprocess.DEVNULL, check=False)
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    if lines[-1]["type"] != "end":
        raise SystemExit(f"{report} is incomplete")
    scenarios = [line for line in lines if line["type"] == "scenario" and line.get("findings")]
    failed = [scenario for scenario in scenarios if scenario["verdict"] == "fail"]
    return failed or [scenario for scenario in scenarios if scenario["verdict"] == "error"]


def rank(scenario):
    """The place of a failed scenario in a report: what is demanded, the explained, the shortest and the scripted come first."""
    finding = scenario["findings"][0]
    is_open = finding.get("level") in ("may", "unspecified")
    return is_open, len(finding.get("mistakes", [])) != 1, scenario.get("turns", 0), scenario.get("is_adaptive", False)


def cause_of(finding):
    """The cause that a finding names; None for a plain observation."""
    mistakes = finding.get("mistakes", [])
    if len(mistakes) == 1:
        return mistakes[0]["summary"]
    title = finding.get("title", "")
    return title if "as if" in title else None


def score(urtext, subject, folder):
    """One row: the subject, whether it is caught, whether the requirement is expected, the verdict on the cause, the text."""
    scenarios = run(urtext, subject, folder)
    if scenarios is None:
        return None
    if not scenarios:
        return subject, False, False, "missing", ""
    scenarios.sort(key=rank)
    first = scenarios[0]["findings"][0]
    # An error is no verdict on the subject, so it does not count as caught.
    if scenarios[0]["verdict"] == "error":
        return subject, False, False, "missing", f"error: {first['title']}"
    cause, words = cause_of(first), subject["words"]
    if cause is None:
        verdict = "missing" if words else "right"
    else:
        verdict = "right" if words and all(re.search(word, cause) for word in words) else "wrong"
    said = f"{first['requirement']}: {'CAUSE ' + cause if cause else first['title']}"
    return subject, True, first["requirement"] in subject["requirements"], verdict, said


def summary(label, rows):
    """Prints the counts of some rows, and returns their shares in percent."""
    counts = {"caught": sum(row[1] for row in rows), "requirement": sum(row[2] for row in rows)}
    counts.update({verdict: sum(row[3] == verdict for row in rows) for verdict in ("right", "wrong", "missing")})
    shares = {name: 100 * count / len(rows) for name, count in counts.items()}
    shown = ", ".join(f"{name} {count} ({shares[name]:.0f} %)" for name, count in counts.items())
    print(f"{label}: {len(rows)} subjects: {shown}")
    return shares


def main():
    urtext, chosen = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:]
    subjects = json.loads((HERE / "expected.json").read_text())
    if chosen[:1] == ["--half"]:
        subjects = [subject for subject in subjects if str(subject["half"]) == chosen[1]]
    elif chosen:
        subjects = [subject for subject in subjects if subject["name"] in chosen]
    if not subjects:
        sys.exit(f"expected.json has no such subject: {' '.join(chosen)}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="faulty-"))
    rows = []
    with ThreadPoolExecutor(2) as pool:
        for subject, row in zip(subjects, pool.map(lambda subject: score(urtext, subject, folder), subjects)):
            where = f"{subject['game']} {subject['side']} {subject['name']}"
            if row is None:
                print(f"{where}: not played: no C compiler", flush=True)
                continue
            rows.append(row)
            _, caught, requirement, verdict, said = row
            named = "requirement as expected" if requirement else "requirement NOT expected" if caught else "MISSED"
            print(f"{where}: {named}, cause {verdict}\n    {said}", flush=True)
    groups = [(f"half {subject['half']}" + (f", {subject['kind']}" if "kind" in subject else ""), row) for row in rows for subject in row[:1]]
    for label in sorted({label for label, _ in groups}):
        summary(label, [row for other, row in groups if other == label])
    shares = summary("all", rows)
    print(f"reports: {folder}")
    worse = [name for name in LEAST if shares[name] < LEAST[name]] + [name for name in MOST if shares[name] > MOST[name]]
    if chosen == ["--half", "4"] and worse:
        sys.exit(f"the diagnosis has become worse: {', '.join(worse)}; at least {LEAST} and at most {MOST} percent are written in {__file__}")


if __name__ == "__main__":
    main()
