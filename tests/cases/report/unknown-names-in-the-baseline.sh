# A name that a shipped suite or catalogue lacks is a warning. Names of others are not known here.
cat > urtext-baseline.yaml <<'END'
failures:
  - scenario: royalur/referee/capture-cell-6
    reason: ur/rol/line
  - scenario: royalur/referee/plain-game
    reason: ur/roll/line
  - scenario: royalur/free-game-1
    reason: the referee *
  - scenario: own
    reason: redis/reply/type
END
urtext check

# Both kinds of names are looked at before a run as well.
urtext run --suite royalur/referee/own-token 2>&1 | grep warning

# An empty file.
: > urtext-baseline.yaml
urtext check
