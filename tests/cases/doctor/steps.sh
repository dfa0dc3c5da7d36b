# What it sees of the built-in peers of both games, step by step.
urtext doctor --game royalur > said; echo "status $?"
steps='first move  .*|spectators  1 received |moves       .*|ends        .*'
grep -oE "^royalur (referee|bot) |, as forced through its command$|^  ok            ($steps)| shipped scenarios can be played$|not reached|  - |  note  " said

only '^onitama (referee|bot) |^  ok            first roll  .*|^  ok            moves       .*' urtext doctor --game onitama

# All subjects of the file ($PYTHON), and what to write for a missing roll hook.
sed "s|PYTHON|$python|; s|PEERS|$PEERS|" $cases/doctor/_subjects.yaml > urtext.yaml
hook=', from its own dice: it has no roll hook$|  - if it can take forced rolls, .*|  - `late-spectator: whole`.*'
lacks='it forces .*, and this referee takes none .*| shipped scenarios cannot be played$'
only "every stream ended after the game|see below|not reached|$hook|$lacks" urtext doctor

only '^royalur bot `bot` \(|onitama' urtext doctor --subject bot

only 'there is no subject of this game' urtext doctor --game lines

# A subject that cannot be started or never speaks is status 3 at its step.
only '^  error         starts      see below|^  -             first move  not reached|`./no-such-program` cannot be started: |repeat: .*|shipped scenarios' \
  urtext doctor --as bot -- ./no-such-program

# A roll hook that does not work is status 3 and shows both rolls.
steps='^  ok            first line  came after |^  error         first roll  see below|^  -             first move  not reached'
only "$steps|error: the roll hook does not work|was forced as \`" urtext doctor --as referee --set rolls.environment=OTHER -- \
  urtext referee royalur --seed 3 --pace 0 --spectators {spectators}

# A subject that breaks the protocol is status 1 with the requirement.
only '^  fail          first roll  see below|fail\[ur/roll/line\]: ' urtext doctor --as referee --set rolls.environment=URTEXT_ROLLS -- \
  urtext referee royalur --fault roll-without-spaces --seed {seed} --spectators {spectators} --timeout {timeout} --pace {pace}

only '^  fail          first move  see below|received  banana' urtext doctor --as bot -- sh -c 'echo banana; exec cat > /dev/null'

only '^  ok            moves       2 of its own, all legal|^  fail          ends        see below' \
  urtext doctor --as bot -- urtext bot royalur --policy first --fault survives-eof

# A fault of the user is status 2, and so is a parameter without a value, also where unsupported scenarios are allowed.
echo "subjects: {it: {as: bot, game: royalur, command: [urtext, bot, royalur, '{depth}'], parameters: {depth: {type: number}}}}" > urtext.yaml
only 'did you mean `it`' urtext doctor --subject its

urtext doctor

urtext explore --subject it

urtext run --suite royalur/bot --allow unsupported

only '1 pass' urtext run --suite royalur/bot/first-seat --set depth=1 --set "command=[urtext, bot, royalur, --seed, '{depth}']"

# Where no scenario is for its subject, a value may be missing.
sed -i 's/}}}}$/}}}, other: {as: referee, game: royalur, command: [urtext, referee, royalur], spectators: none}}/' urtext.yaml
only '1 unsupported' urtext run --suite royalur/referee/two-spectators
