repeated() { yes "$1" | head -n "$2" | tr -d '\n'; }
{ printf 'a: '; repeated '[' 64; repeated ']' 64; } > s.yaml
urtext check s.yaml 2>&1 | grep -c 'too deep'

repeated() { yes "$1" | head -n "$2" | tr -d '\n'; }
{ printf 'a: '; repeated '[' 65; repeated ']' 65; } > s.yaml
urtext check s.yaml

{ printf 'a:\n  '; yes -- '- ' | head -n 64 | tr -d '\n'; echo x; } > s.yaml
urtext check s.yaml

repeated() { yes "$1" | head -n "$2" | tr -d '\n'; }
repeated '[{a: ' 500000 > s.yaml
urtext check s.yaml 2>&1 | cut -c 1-100

# Aliases are read in `urtext.yaml` alone.
{ echo 'k0: &n0 x'; for n in $(seq 59); do echo "k$n: &n$n [[*n$((n - 1))]]"; done; } > urtext.yaml
urtext check

{ printf 'a: &a '; head -c 1000000 /dev/zero | tr '\0' x; printf '\nb: ['; yes '*a, ' | head -n 100 | tr -d '\n'; echo ']'; } > urtext.yaml
urtext check 2>&1 | cut -c 1-100

printf 'subjects:\n  a: &a {as: bot, game: ur, command: [sh]}\n  b: *a\n' > urtext.yaml
urtext check

printf 'subjects: &b {a: *b, b: *none}\n*b : c\n' > urtext.yaml
urtext check

printf 'scenario: &a t\nchecks: [*a]\n' > s.yaml
urtext check s.yaml

printf 'scenario: t\nchecks: [*a]\n' > s.yaml
urtext check s.yaml

# Other mistakes are shown as well.
printf 'scenario: &a t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nspectators: *a\nnames: *b\nturns: [{first: 0 0 1 > 3}]\n' > s.yaml
urtext check s.yaml
