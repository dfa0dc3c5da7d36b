# Faults are named only where all are named.
only 'mutation score.*no false alarm, |royalur/bot/greets' urtext mutants --suite royalur/bot --fault greets

only 'royalur, bot: mutation score 100 %: 18 of 18 caught, 1 observed, no false alarm, |pass  royalur/bot/greets .*|observed: ur/bot/exit-status leaves it open$' \
  urtext mutants --suite royalur/bot --verbose

# Slow scenarios catch wrong defaults of a referee.
only '2 of 2 caught, no false alarm' urtext mutants --slow --suite royalur/referee --fault default-pace-0 --fault default-timeout-60

# A suite that misses a fault says so.
only '^fail\[.*|mutation score .* no false alarm|tails' urtext mutants --suite royalur/referee/roll-heads --fault tails --fault six-wins

only '^no fault makes these fail: .*' urtext mutants --suite royalur/bot/first-seat --fault survives-end -v

# A scenario that the honest peer does not keep is a false alarm.
cp $cases/mutants/_silent-on-a-roll.yaml wrong.yaml
only '1 false alarm' urtext mutants wrong.yaml --fault greets

only 'did you mean `greets`\?' urtext mutants --suite royalur/bot --fault greet
