"""The referee and the bot in C of `docs/sample` with one fault each. `expected.json` describes each fault."""

import pathlib
import shutil
import subprocess

SAMPLE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "sample"

# (source, what stands there, what takes its place), once or more.
PATCHES = {
    # What one recv brings is taken for a line.
    "c-recv-is-a-line": [
        (
            "referee.c",
            "    char *text = unread[player].text, *end;\n",
            "    if (!is_readable(player, deadline)) return false;\n"
            "    ssize_t got = recv(lanes[player], line, LONGEST_LINE, 0);\n"
            "    if (got <= 0) return false;\n"
            "    line[got] = '\\0';\n"
            '    line[strcspn(line, "\\n")] = \'\\0\';\n'
            "    return true;\n"
            "    char *text = unread[player].text, *end;\n",
        )
    ],
    # atoi says 0 where there is no number.
    "c-atoi": [
        ("referee.c", "strlen(line) == 1 && *line >= '0' && *line < '0' + TOKENS", "atoi(line) >= 0 && atoi(line) < TOKENS"),
        ("referee.c", "*line - '0'", "atoi(line)"),
    ],
    # A participant that has gone ends the process.
    "c-sigpipe": [("referee.c", "MSG_NOSIGNAL", "0")],
    # The rest of a longer line is taken for the next one.
    "c-line-of-16-bytes": [
        (
            "bot.c",
            "    static char *line;\n    static size_t size;\n    ssize_t length = getline(&line, &size, stdin);\n"
            "    if (length < 1 || line[length - 1] != '\\n') exit(0);\n    line[length - 1] = '\\0';\n",
            "    static char line[16];\n    if (!fgets(line, sizeof line, stdin)) exit(0);\n"
            '    line[strcspn(line, "\\n")] = \'\\0\';\n',
        )
    ],
    # A pipe is no terminal: what is printed stays in the buffer.
    "c-no-flush": [("bot.c", "                fflush(stdout);\n", "")],
}


def build(name, folder):
    """Compiles the program with the fault into the folder; returns its path, or None without a compiler."""
    if shutil.which("cc") is None:
        return None
    patches, source = PATCHES[name], PATCHES[name][0][0]
    text = (SAMPLE / source).read_text()
    for _, old, new in patches:
        if old not in text:
            raise SystemExit(f"{name}: {source} has changed: {old!r} is not there")
        text = text.replace(old, new)
    changed, program = folder / f"{name}.c", folder / name
    changed.write_text(text)
    subprocess.run(["cc", "-std=c11", "-O1", "-w", f"-I{SAMPLE}", "-o", program, changed], check=True)
    return program
