# The same seed gives the same report and the same files, whatever is played at once. What exists already is not written again.
for subject in '--fault retire-lowercase' '--as bot --fault ignores-extra-turn'; do
  rm -rf a b; mkdir a b; explore() { (cd $1; urtext explore --seed 5 --shrink 40 --subject built-in $subject $3 > ../$2.txt 2> /dev/null; echo "status $?"); }
  explore a one '--jobs 1'; cp -R a kept; explore b two '--jobs 7'; explore a three ''
  cmp one.txt two.txt && cmp one.txt three.txt && diff -r a b && diff -r a kept && test -n "$(ls a)"; echo "alike: $?"; rm -r kept
done

# What was never reached is named only where everything is.
only ' put to the test \(-v names the others\)|^explored onitama, referee: 2 games: 2 pass, seed 5 in |oni/invalid/middle-card' urtext explore --game onitama --games 2 --seed 5

only '^  oni/invalid/middle-card: ' urtext explore --game onitama --games 2 --seed 5 -v

# It ends when its time is over. A busy machine may not even begin in that time; what was planned together is played.
urtext explore --game onitama --games 1000000 --for 1ms --seed 1 > said; status=$?; grep -oE 'onitama, referee: |00 games' said
case $status in 0) ;; 4) grep -q 'onitama, referee: 0 games' said ;; *) false ;; esac

only '\[explore/[a-z-]*\]' urtext explore --game lines

only 'write its command after --' urtext explore --as bot

# What was not explored is not silently green.
urtext explore --for 0s > /dev/null 2> /dev/null

urtext explore --games 0 > /dev/null 2> /dev/null

# A folder that cannot be written is told before anything is played. One that can be made is made only for what is written.
: > file; urtext explore --games 1 --seed 1 --out file/explored 2> said; echo "status $?"; grep -o 'file/explored cannot be written' said

urtext explore --games 1 --seed 1 --out new/explored > /dev/null 2> /dev/null; echo "status $?"; test -e new

# The time to start can be set as the note on it says: this one never listens.
only '--budget start=DURATION gives it more time' urtext explore --budget start=5s --as referee -- sleep 60 {port}

# What cannot be reached is tried once, and nothing else is said.
only 'explored royalur, referee: 1 game: 1 error|put to the test|ruled out' urtext explore --as referee -- /nonexistent/referee {port}
