while read -r run; do
  echo "run: {$run}" > urtext.yaml
  echo 'subjects: {b: {as: bot, game: royalur, command: [sh]}}' >> urtext.yaml
  urtext check 2>&1
done <<END
retrys: 1
report: {junt: x}
allow: [flakey]
jobs: 0
for: 30
retries: -1
report: x.xml
END
