# A run leaves nothing in its folder.
mkdir empty; cd empty
count --suite royalur/bot
play() { only '^[0-9]+ scenarios?: .* passed' urtext run "$@"; echo "status $?"; }
play --suite royalur/bot
play --suite royalur/bot --suite royalur/referee/illegal-lines#word
play --suite royalur/bot/first-seat
ls -A

# Paths are files and folders.
only '^1 scenario: .*' urtext run $scenarios/royalur/referee/own-token.yaml

count --suite royalur/bot
only '^[0-9]+ scenarios: .* passed' urtext run $scenarios/royalur/bot $scenarios/royalur/referee/own-token.yaml

# A path and the suite inside the program play the same games.
urtext run --list 2> /dev/null > one; urtext run --list $scenarios 2> /dev/null > two; cmp one two && test $(wc -l < one) -gt 40

# A subject plays only the scenarios for it.
count --suite royalur/bot
only '^[0-9]+ scenarios: .* passed' urtext run $patient --as bot -- urtext bot royalur --policy last

count --suite royalur/referee --only '*capture*'
only '^[0-9]+ scenarios: |unsupported' urtext run --only '*capture*' $patient --as referee --set late-spectator=nothing -- urtext referee royalur --spectators {spectators} \
  --timeout {timeout} --pace {pace} --name {first} --name {second} --rolls {rolls}

# Forced rolls come by an argument or a file or a variable.
own="urtext run $patient --suite royalur/referee/own-token --as referee"; made='urtext referee royalur --spectators {spectators} --pace 0'
one() { only '^1 scenario: .*' "$@"; echo "status $?"; }
one $own -- $made --rolls {rolls}
one $own -- sh -c 'exec urtext referee royalur --spectators "$0" --pace 0 --rolls "$(cat "$1")"' {spectators} {rolls_file}
one $own --set rolls.environment=URTEXT_ROLLS -- $made
one $own --set rolls.environment=URTEXT_ROLLS -- $made --listen :{port} --listen-spectators :{spectator_port}

# A hook that the referee does not know is an error, not a verdict.
only 'the roll hook does not work' urtext run --suite royalur/referee/own-token --as referee --set rolls.environment=MY_ROLLS -- urtext referee royalur --spectators {spectators} --pace 0 --seed 1

# Slow scenarios are played when they are asked for or named.
only '2 slow scenarios left out \(--slow plays them\)' urtext run --suite royalur/referee --only '*default-*' --only '*own-token*'

only 'left out|^1 scenario: .*' urtext run --suite royalur/referee/default-pace

only 'by itself, and this one has another' urtext run --suite royalur/referee/default-pace --as referee --set rolls.environment=R --set pace=0s -- true

# Nothing is played again where nothing failed in the report; a report that is not there or breaks off is an error.
urtext run -q --suite royalur/bot/first-seat --report json=ok.json; urtext run --failed ok.json

urtext run --failed missing.json

sed -i '$d' ok.json; urtext run --suite royalur/bot/first-seat --failed ok.json
