# The defaults of urtext.yaml hold, and the command line wins. Nobody can watch, so that nothing can be played.
mkdir p p/below; cp $cases/run/_defaults.yaml p/urtext.yaml
run() {
  (cd p/below; only '1 unsupported' urtext run --suite royalur/referee/two-spectators "$@"; echo "status $?")
  # Its reports.
  (cd p; find . -name 'o*.*' | sort; rm -f out.* below/own.xml)
}
run
run --allow flaky
run --report junit=own.xml
# The subject of the command line is none of the file.
run --subject built-in

# A default number of retries makes a failure flaky.
yaml() {
  rm -f starts; cat > urtext.yaml <<END
$1
subjects:
  it: {as: bot, game: royalur, folder: ., command: [sh, -c, 'echo x >> starts; [ \$(wc -l < starts) -gt 1 ] || echo banana; exec urtext bot royalur --policy first']}
END
  only '1 flaky|urtext.yaml:1:7|write `retries`' urtext run --suite royalur/bot/first-seat; echo "status $?"
}
yaml ''
yaml 'run: {retries: 1}'
yaml 'run: {retries: 1, allow: flaky}'
yaml 'run: {retrys: 1}'
test -e starts

# A command runs in the current folder or in an empty one.
printf '#!/bin/sh\nls >"$1"\ntouch made\nexec urtext bot royalur --seed 1\n' > bot.sh; chmod +x bot.sh
play() {
  only '^1 scenario: .*|this file is not found from the empty folder that the subject runs in|command line:4:15|write `\{here\}/bot.sh`' \
    urtext run $patient --as bot --suite royalur/bot/first-seat "$@" $PWD/seen
  echo "status $?"; ls made 2> /dev/null; rm -f made
}
play --set folder=empty -- ./bot.sh; wc -c < seen
play --set folder=empty -- sh bot.sh
play --set folder=empty -- sh {here}/bot.sh
play --set folder=. -- ./bot.sh
play -- ./bot.sh

# The repeat command has every option of the run.
only 'repeat: .*' urtext run --budget answer=900ms --jobs 1 --network jitter --suite royalur/bot/captures-both-ways --subject built-in --as bot --game royalur --fault forgets-captures
