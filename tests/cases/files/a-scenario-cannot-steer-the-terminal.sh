cat > s.yaml <<'END'
scenario: t
game: "\x1b[31m"
subject: referee
checks: [ur/roll/line]
"\x1b[2J": 1
names: [a, "\x1b]0;x\a"]
turns:
  - first: 0 0 1 1 > 3
END
urtext check s.yaml
