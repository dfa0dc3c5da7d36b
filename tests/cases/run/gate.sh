# The plain game before all others. A beginning that fails three times alike stops the run with one finding.
count --suite royalur/referee
only 'fail\[ur/roll/line\]|failed 3 times in the same way|--no-gate plays the scenarios all the same|^[0-9]+ scenarios: .* skipped' \
  urtext run --suite royalur/referee $referee --fault roll-without-spaces
echo "status $?"
# The report is short.
test $(printf '%s\n' "$said" | wc -l) -lt 60

# A bot whose first answer fails is started three times. The command that repeats it plays the plain game alone, and is the last line.
wrong='echo x >> starts; echo banana; exec cat > /dev/null'
count --suite royalur/bot
only '1 failed, .* skipped|^repeat: urtext doctor --as bot -- sh -c' urtext run --suite royalur/bot --as bot -- sh -c "$wrong"
echo "status $?, started $(wc -l < starts) times"; rm starts
printf '%s\n' "$said" | tail -n 1 | grep -o '^repeat: urtext doctor'

# --no-gate plays everything.
wrong='echo x >> starts; echo banana; exec cat > /dev/null'
count --suite royalur/bot
only '^[0-9]+ scenarios: .* failed' urtext run --no-gate --suite royalur/bot --as bot -- sh -c "$wrong"
echo "status $?"; test $(wc -l < starts) -ge $all; echo "started for each: $?"; rm starts

# Few scenarios have no gate.
wrong='echo x >> starts; echo banana; exec cat > /dev/null'
only '^1 scenario.*' urtext run --suite royalur/bot/first-seat --as bot -- sh -c "$wrong"
echo "status $?, started $(wc -l < starts) times"; rm starts

# A subject that fails only once is not stopped.
once='echo x >> starts; [ $(wc -l < starts) -gt 1 ] || { echo banana; exec cat > /dev/null; }; exec urtext bot royalur --policy first'
count --suite royalur/bot
only '^[0-9]+ scenarios: .* passed' urtext run --suite royalur/bot $patient --as bot -- sh -c "$once"

# Nor is one that fails later than its beginning.
only 'skipped' urtext run --suite royalur/bot $bot --fault moves-onto-own-token

# Nor is one whose first move is against the rules: by which rule, the other games tell.
cat > bot.sh <<'END'
while read -r line; do
  case $line in "You are "*) own=${line#You are };; *" starts") test "$line" = "$own starts" && echo Boar c3 c3;; esac
done
END
only '^[0-9]+ scenarios: .*failed|not played' urtext run --suite onitama/bot/mistakes --as bot --game onitama -- sh bot.sh

# A hook that does not work is one error and says what was written: this referee takes forced rolls from another variable.
only 'error: the roll hook does not work|note: the forced rolls were written to the variable OTHER: "|note: what came: |1 could not be played' \
  urtext run --suite royalur/referee --as referee --set rolls.environment=OTHER -- \
  urtext referee royalur --seed {seed} --spectators {spectators} --timeout {timeout} --pace {pace} --name {first} --name {second}

# One that holds only at first is an error and not the referee's failure: the dice are free after the first forced roll.
script='exec urtext referee royalur --seed 3 --spectators "$0" --pace 0 --rolls "${MY_ROLLS%% *}"'
only 'error: the roll hook does not work: the referee shows other rolls than those that are forced|was forced as `|the forced rolls were written to the variable MY_ROLLS: "' \
  urtext run --suite royalur/referee/own-token --as referee --set rolls.environment=MY_ROLLS -- sh -c "$script" {spectators}
