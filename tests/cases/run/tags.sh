scenario() { printf 'scenario: s\ngame: lines\nsubject: bot\nparticipants: [bot]\n%ssteps:\n  - bot gets: hello\n' "$1"; }
mkdir own
scenario 'tags: [nightly, 7]
' > own/a.yaml
scenario 'tags: [weekly]
' > own/b.yaml
scenario '' > own/c.yaml
urtext run --list own --game lines --as bot -- cat

urtext run --list own --only tag:nightly --as bot -- cat

urtext run --list own --only tag:7 --only tag:weekly --as bot -- cat

urtext run --list own --only tag:none --as bot -- cat

sed 's/nightly, 7/Nightly, a, a/' own/a.yaml > own/d.yaml
urtext check own/d.yaml
