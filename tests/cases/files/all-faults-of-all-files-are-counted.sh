# Without a path, the folder `scenarios` is checked.
urtext check

mkdir empty
urtext check empty

mkdir -p scenarios/x
cat > scenarios/x/a.yaml <<END
scenario: t
game: royalur
subject: referee
checks: [ur/roll/line]
turns:
  - first: 0 0 1 1 > 3
END
urtext check

sed 's/> 3/> 7/' scenarios/x/a.yaml > scenarios/x/b.yaml
echo 'golden: /x' >> scenarios/x/b.yaml
: > scenarios/x/c.yml
urtext check scenarios
