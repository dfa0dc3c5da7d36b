# One mistake is one finding across requirements, and the last lines are the cause, the counts and one command.
urtext run --suite royalur/referee/generated --jobs 1 --subject built-in --fault no-extra-turn-4 --report json=run.json

# The screen and the summary of a step stay short, and every format has one finding, with the others by name.
lines() { urtext report "$@" run.json | wc -l; }
test $(lines text) -le 60; echo "text: $?"; test $(lines markdown) -lt 60; echo "markdown: $?"
urtext report github run.json | grep -o '^::error[^:]*::\|and [0-9]* more.*…'
urtext report gitlab run.json | grep 'fingerprint\|description'
urtext report markdown run.json | sed '/^```text/,$d'

# The kind of a finding about a line leaves out its lane.
urtext run -q --no-diagnosis --suite royalur/referee/own-token --fault no-relay-to-opponent --report json=kind.json > said; grep -o '"kind":"[^"]*"' kind.json

# Two mistakes that no game tells apart, and a crash that follows from them, are one finding, too.
urtext run --suite royalur/bot $patient --as bot -- $PYTHON -S $PEERS/faulty/faulty_ur_bot.py --fault captures-on-8 --policy random --seed 1 \
  2> /dev/null > said; echo "status $?, $(grep -c '^fail' said) finding"; grep -o '^.*behaves.*\|and [0-9]* more failures\|.*[0-9] mistakes.*\|.*known mistakes.*\|.*scenarios: .* failed' said
