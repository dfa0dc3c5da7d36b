# A referee that runs already: its games are played one after the other, however many are wanted at once.
serve royalur --pace 0 --spectators 1 --games 5 --seed 7
only '^5 scenarios: .*' urtext run --free-games 5 --jobs 4 $patient --as referee --connect $players --set spectators=$spectators

serve royalur --pace 0 --games 2 --seed 7
only '^2 scenarios: .*' urtext run --free-games 2 $patient --as referee --connect $players

# A fault shows there. A failure by silence is confirmed by a second game, for which this referee is not there any more: one game at once.
fault() (
  mkdir $1; cd $1; serve royalur --pace 0 --spectators 1 --seed 7 --fault $1
  only 'fail\[.*\]' urtext run --free-games 1 --no-diagnosis --as referee --connect $players --set spectators=$spectators > said; echo "status $?" >> said
)
faults='no-extra-turn-4 echoes-to-mover garbles-roll-for-spectators roll-after-win'
for fault in $faults; do fault $fault & done
wait; for fault in $faults; do cat $fault/said; done

# What scenarios force is left to chance, but not a pace.
serve royalur --pace 0 --games 80 --seed 7
suites=$(for name in own-token pace extra-turn-cell-8; do echo --suite royalur/referee/$name; done)
only '^3 scenarios: .*' urtext run $suites $patient --as referee --connect $players

# A plain game that fails three times alike stops the run.
serve royalur --pace 0 --games 50 --seed 7 --fault roll-without-spaces
count --suite royalur/referee
only 'fail\[ur/roll/line\]|0 passed, 1 failed, .* skipped' urtext run --suite royalur/referee --as referee --connect $players

# After one that goes well the scenarios are played.
serve royalur --pace 0 --games 500 --seed 7
only ' 0 passed|failed|^[0-9]+ scenarios: .*' urtext run --suite royalur/referee --only '*extra-turn-*' --only 'illegal-lines*' $patient --as referee --connect $players

# A started referee plays free games as well.
only '^3 scenarios: .*' urtext run --free-games 3 $free_ur
