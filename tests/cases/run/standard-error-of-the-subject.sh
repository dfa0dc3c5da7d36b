# Its end is shown under what failed and only there, and in a report. This referee says two lines before the game.
printf 'printf "first\\033[2J\\nbefore the game\\n" >&2; exec "$@"\n' > referee.sh
play() { urtext run --no-diagnosis $patient "$@" --as referee --set rolls.environment=URTEXT_ROLLS -- sh $PWD/referee.sh urtext referee royalur --fault stacking \
  --seed {seed} --spectators {spectators} --timeout {timeout} --pace {pace} --name {first} --name {second} > out 2> err; echo "status $?"
  for stream in out err; do echo "$stream:"; only 'standard error: first[^J]*J|^sh[^:"]*: (first.*|before the game)|before the game' cat $stream | LC_ALL=C sort; done; }
play --suite royalur/referee/own-token
play --suite royalur/referee/capture-cell-5
play --suite royalur/referee/own-token --report json=-
# Every line is shown behind the name, also of what passes.
play --suite royalur/referee/capture-cell-5 --stderr
play --suite royalur/referee/capture-cell-5 --suite royalur/referee/own-token --stderr
