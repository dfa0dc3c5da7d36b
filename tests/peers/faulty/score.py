"""Scores the diagnoses of urtext on the faulty subjects of `expected.json`.

Usage: score.py URTEXT [NAME…]. Runs each subject's whole suite, two subjects at a time. The reports stay in a folder that
the last line names. A cause is *right* if it matches all of the subject's `words`, *plain* if none is named, else *wrong*:
the words only sort, so read the causes that the table shows.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent

# (game, side): options of urtext, and of the subject.
COMMANDS = {
    ("royalur", "referee"): (
        "--set rolls.environment=UR_ROLLS --set late-spectator=nothing",
        "--spectators {spectators} --timeout {timeout} --pace {pace} --names {first},{second} --seed {seed}",
    ),
    ("royalur", "bot"): ("", "--policy random --seed {seed}"),
    ("onitama", "referee"): ("--game onitama", "--timeout {timeout} --seed {seed} --deal {deal} --starter {starter}"),
    ("onitama", "bot"): ("--game onitama", "{host} {port} --policy random --seed {seed}"),
}


def run(urtext, subject, folder):
    """Runs the suite of one subject; returns the scenarios that failed, and else those with an error."""
    game, side = subject["game"], subject["side"]
    ours, theirs = (options.split() for options in COMMANDS[game, side])
    report = folder / f"{game}-{side}-{subject['name']}.json"
    peer = [sys.executable, "-S", str(HERE / subject["peer"]), "--fault", subject["name"]]
    arguments = ["run", "--jobs", "4", "--suite", f"{game}/{side}", "--as", side, *ours, "--report", f"json={report}"]
    subprocess.run([urtext, *arguments, "--", *peer, *theirs], cwd=folder, stdout=subprocess.DEVNULL, check=False)
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
    return is_open, "cause" not in finding, scenario.get("turns", 0), scenario.get("is_adaptive", False)


def cause_of(finding):
    """The cause that a finding names; None for a plain observation."""
    cause = finding.get("cause")
    if cause:
        return cause["summary"]
    title = finding.get("title", "")
    return title if "behaves as if" in title else None


def score(urtext, subject, folder):
    """One row: the subject, whether it is caught, whether the requirement is expected, the verdict on the cause, the text."""
    scenarios = run(urtext, subject, folder)
    if not scenarios:
        return subject, False, False, "missed", ""
    scenarios.sort(key=rank)
    first = scenarios[0]["findings"][0]
    # An error is no verdict on the subject, so it does not count as caught.
    if scenarios[0]["verdict"] == "error":
        return subject, False, False, "missed", f"error: {first['title']}"
    cause = cause_of(first)
    words = subject["words"]
    if cause is None:
        verdict = "plain"
    else:
        verdict = "right" if words and all(re.search(word, cause) for word in words) else "wrong"
    said = f"{first['requirement']}: {cause or first['title']}"
    return subject, True, first["requirement"] in subject["requirements"], verdict, said


def summary(label, rows):
    """Prints the counts of some rows."""
    if not rows:
        return
    counts = {"caught": sum(row[1] for row in rows), "requirement": sum(row[2] for row in rows)}
    counts.update({verdict: sum(row[3] == verdict for row in rows) for verdict in ("right", "plain", "wrong")})
    shown = ", ".join(f"{name} {count} ({100 * count / len(rows):.0f} %)" for name, count in counts.items())
    print(f"{label}: {len(rows)} subjects: {shown}")


def main():
    urtext, names = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:]
    subjects = json.loads((HERE / "expected.json").read_text())
    chosen = [subject for subject in subjects if not names or subject["name"] in names]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="faulty-"))
    rows = []
    with ThreadPoolExecutor(2) as pool:
        for row in pool.map(lambda subject: score(urtext, subject, folder), chosen):
            rows.append(row)
            subject, caught, requirement, verdict, said = row
            named = "requirement as expected" if requirement else "requirement NOT expected" if caught else "MISSED"
            print(f"{subject['game']} {subject['side']} {subject['name']}: {named}, cause {verdict}\n    {said}", flush=True)
    for half in (1, 2, 3):
        of_half = [row for row in rows if row[0]["half"] == half]
        summary(f"half {half}, inside parameters", [row for row in of_half if row[0]["inside_parameters"]])
        summary(f"half {half}, outside parameters", [row for row in of_half if not row[0]["inside_parameters"]])
        summary(f"half {half}", of_half)
    summary("all", rows)
    print(f"reports: {folder}")


if __name__ == "__main__":
    main()
