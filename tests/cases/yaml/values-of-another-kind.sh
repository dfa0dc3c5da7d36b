# A line.
for value in '|\n  x' '0 0 1 1\n  > 3' '"a\\nb"' '' '[x]' '{x: y}' '>3'; do
  printf "scenario: $value\n" > s.yaml
  urtext check s.yaml 2>&1 | grep -A 6 '^error.yaml/\(expected-line\|block\)'
done

# A number.
for value in 18446744073709551616 007 00 '"3"' -1 +1 1.0 0x10 1_000 three "\342\200\256$(head -c 100 /dev/zero | tr '\0' x)"; do
  printf "game: royalur\nsubject: referee\nspectators: $value\n" > s.yaml
  urtext check s.yaml 2>&1 | grep -A 6 '^error.yaml/expected-number'
done

# True or false.
for value in yes OFF '"true"'; do
  printf "slow: $value\n" > s.yaml
  urtext check s.yaml 2>&1 | grep -A 6 '^error.yaml/expected-'
done

# A length of time.
for value in 1 1.5 -1s 1parsec 99999999999999999999s s; do
  printf "game: royalur\nsubject: referee\ntimeout: $value\n" > s.yaml
  urtext check s.yaml 2>&1 | grep -A 6 '^error.yaml/expected-duration'
done

# One of several words.
for value in refree judge; do
  printf "subject: $value\n" > s.yaml
  urtext check s.yaml 2>&1 | grep -A 6 '^error.yaml/expected-one-of'
done

# A list.
for value in ur/extra-turn ''; do
  printf "game: royalur\nsubject: referee\nchecks: $value\n" > s.yaml
  urtext check s.yaml 2>&1 | grep -A 6 '^error.yaml/expected-list'
done
