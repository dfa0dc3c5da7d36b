cat > urtext-baseline.yaml <<END
failures:
  - scenario: a
  - reason: x
  - scenario: c
    reason: x
    expires: 2026-13-01
  - scenario: d
    reason: x
    expires: 2026-1-1
  - scenario: e
    reason: x
    expires: tomorrow
  - scenario: f
    reason: x
    flaky: maybe
  - scenario: g
    raeson: x
  - scenario: h
    reason: x
  - scenario: h
    reason: x
END
urtext check

printf 'failures:\n  a: b\n' > urtext-baseline.yaml
urtext check

printf 'failures:\n  []\n' > urtext-baseline.yaml
urtext check
