# A failure names the description that its scenario links to.
for word in bye hello; do
    printf 'scenario: s\ngame: lines\nsubject: bot\nlink: https://example.org/issues/7\nsteps:\n  - bot gets: hello\n  - bot sends: %s\n' $word > a.yaml
    urtext run a.yaml --game lines --as bot --no-diagnosis -- cat | grep -c 'note: see https://example.org/issues/7'
done
