# Built-in peers in memory, on a virtual clock. The same seed gives the same report and recordings, whatever is played beside.
play() { urtext run --suite royalur/bot --suite royalur/referee/default-timeout --suite onitama/bot --slow -v --seed 7 --record $1 --jobs $2 > $1.txt 2> /dev/null; echo "status $?"; }
play one 1
play two 9
cmp one.txt two.txt && diff -r one two && test $(find one -type f | wc -l) -gt 40

# A minute and a half of virtual time is waited for without as many real seconds.
only '1 scenario: 1 passed in 9' timeout 60 urtext run --suite royalur/referee/default-timeout

# An unkind network is the same for the same seed, and repeats by the command in the report.
run() { urtext run --network outages --free-games 1 --game royalur --seed $1; }
run 76 > a; echo "status $?"; run 76 > b; run 77 > c
cmp a b && ! cmp -s a c && only 'the network lost the connection of PlayerB \(second\) before the game was over|urtext run --free-games 1 --seed 76 --network outages --game royalur$' cat a

# A pause that begins late is not held against a referee whose timeout is over: urtext reads the beginning of the turn 1.6 s late, and its
# player pauses 1.5 s of a timeout of 3 s.
only 'and this machine was busy|the referee can have waited 3.24s for its line, with a timeout of 3.00s' \
  urtext run --network busy --seed 54326 --suite onitama/referee/clock-opponents-turn

# A fault narrows what is played, and is named in the report.
only '^urtext 0.1.0: .*|fail\[ur/roll/heads\]|repeat: .*|^1 scenario.*' urtext run --suite royalur/referee/roll-heads --suite royalur/bot --subject built-in --fault tails

count --suite onitama/bot
only '^urtext 0.1.0: .*|^[0-9]+ scenarios: .* passed|failed|skipped|left out' urtext run --subject built-in --as bot --game onitama

only 'the built-in royalur referee with the fault tails' urtext run --free-games 1 --seed 3 --subject built-in --fault tails
