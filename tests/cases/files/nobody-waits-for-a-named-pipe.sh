mkdir scenarios
mkfifo pipe.yaml scenarios/pipe.yaml _part.yaml pipe.txt pipe.received game.sent
for name in includes golden; do
  printf 'scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\n' > $name.yaml
done
printf 'turns:\n  - include: _part.yaml\n' >> includes.yaml
printf 'turns:\n  - first: 0 0 1 1 > 0\ngolden: pipe.txt\n' >> golden.yaml
printf 'Anne\nBob\n0\n' > game.received
echo '[]' > records.json
for file in pipe.yaml scenarios includes.yaml golden.yaml pipe.txt; do urtext check $file; done

for file in pipe.yaml scenarios includes.yaml golden.yaml pipe.txt; do
  urtext run $file 2>&1 | grep -A 1 '^error'
done

for words in pipe.txt pipe.received game.received '--dialect hc-ur pipe.txt' '--dialect hc-ur records.json --state pipe.txt'; do
  urtext verify $words
done

urtext replay --print pipe.txt

urtext replay pipe.txt --to hc-ur

mkfifo urtext.yaml
urtext check urtext.yaml
urtext run --subject mine
