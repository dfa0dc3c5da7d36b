cp $cases/subjects/_known-failures.yaml urtext-baseline.yaml
urtext check

printf 'failures:\n  a: b\n' > urtext-baseline.yaml
urtext check

printf 'failures:\n  []\n' > urtext-baseline.yaml
urtext check

# All entries may be deleted, and others may be added after that.
printf 'failures:\n' > urtext-baseline.yaml
urtext check && urtext run --suite royalur/referee/own-token --fault stacking --update-baseline 2> /dev/null | tail -n 1; cat urtext-baseline.yaml

# A check warns of names that nothing has; a scenario may be among those that are checked, and the plain game is in no suite.
urtext init --as referee --game royalur -- cat > /dev/null; mkdir -p scenarios/royalur/referee; cp $scenarios/royalur/referee/own-token.yaml scenarios/royalur/referee/own-tokens.yaml
entry() { printf '  - scenario: royalur/%s\n    subject: %s\n    reason: %s\n' "$@"; }
{
  echo failures:
  entry referee/extra-turn-cel-8 mine ur/extra-turn/cell-9
  entry referee/own-token other 'the referee sent nothing'
  entry referee/own-tokens mime ur/retire/own-token
  entry referee/plain-game mine ur/roll/line
} > urtext-baseline.yaml
urtext check
