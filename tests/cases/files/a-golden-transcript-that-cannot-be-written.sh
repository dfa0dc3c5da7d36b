# A folder has the name of the golden transcript.
mkdir -p scenarios snapshots/s.txt
printf 'scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nturns:\n  - first: 0 0 1 1 > 0\n' > scenarios/s.yaml
urtext run --bless scenarios > /dev/null

# Nothing is left of the attempt.
find scenarios snapshots
