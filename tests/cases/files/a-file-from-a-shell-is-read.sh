printf 'scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nturns:\n  - first: 0 0 1 1 > 0\n' > s.yaml
urtext check /dev/stdin < s.yaml

# From a pipe.
cat s.yaml | urtext check /dev/stdin

urtext run --record . s.yaml > /dev/null
cat s.jsonl | urtext verify /dev/stdin

urtext verify - < s.jsonl
