# What was not played or not tested is one line, and nothing is said twice: one command repeats the failure.
urtext run --suite royalur/referee/generated --fail-fast --subject built-in --fault no-extra-turn-4 | tail -n 7

# The same behind a gate that a silent bot closes after two games; its silence is announced.
urtext run --suite royalur/bot --budget=start=5s --budget=answer=300ms --budget=close=100ms --as bot -- sh -c 'exec sleep 60' | sed 's/for [0-9.]* s:/for some time:/'

# A scenario that decided nothing about what the specification leaves open is one line.
urtext run --suite royalur/referee/spectator-joins-late --set late-spectator=unknown $referee | sed -n '/inconclusive/p'

# Nothing failed: no diagnosis.
urtext run --suite royalur/referee/own-token

# -v names everything.
urtext run -v --suite royalur/referee/own-token | sed 's/known mistakes.*/known mistakes …/' | head -n 6
