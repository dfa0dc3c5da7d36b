# What every command of a case may use.

# Says only what matches of what a command says, on either stream, in the order in which it first comes, and how often where that is more than
# once; what would steer a terminal matches always. `sed` makes of it what `hide` says. Ends as the command does. What decides nothing only
# because the machine was busy is run again.
only() {
  pattern=$1; shift; tries=
  while said=$("$@" 2>&1); status=$?; tries=$tries.; [ $status = 4 ] && [ ${#tries} -lt 10 ]; do
    case $said in *'this machine was busy'*) ;; *) break ;; esac
  done
  printf '%s\n' "$said" | grep -oE -- "$pattern|$escape.*" | sed -E "$hide" |
    awk '!times[$0]++ { texts[++last] = $0 } END { for (i = 1; i <= last; i++) print texts[i] (times[texts[i]] > 1 ? " (" times[texts[i]] " times)" : "") }'
  return $status
}
escape=$(printf '\033'); hide=

# The number of scenarios of these suites is ALL from now on, so that a suite can grow.
count() { all=$(urtext run --list "$@" 2> /dev/null | grep -c .); hide="s/\\b$all\\b/ALL/g; s/\\b$((all + 1))\\b/ALL + 1/g; s/\\b$((all - 1))\\b/ALL - 1/g"; }

# The interpreter of the peers in a list of urtext.yaml.
python="'${PYTHON% *}', ${PYTHON#* }"

# Budgets for a subject that does what it has to: no slow machine makes a verdict then.
patient='--budget=start=60s --budget=handshake=60s --budget=answer=60s --budget=close=10s'

# The built-in peers as processes, to which options such as `--fault NAME` can be added. A busy machine may end them late.
referee="--as referee --budget=close=10s --set rolls.environment=URTEXT_ROLLS -- urtext referee royalur --seed {seed} \
  --spectators {spectators} --timeout {timeout} --pace {pace} --name {first} --name {second}"
bot='--as bot --budget=close=10s -- urtext bot royalur --policy first'

# Referees as processes that take neither rolls nor a deal.
free_ur='--as referee --budget=close=10s -- urtext referee royalur --pace 0 --spectators {spectators}'
free_onitama='--as referee --game onitama --budget=close=10s -- urtext referee onitama --timeout {timeout}'

# Starts a program that says on its first line where it listens, for as long as the command goes on; that line is `up`. Its
# standard input stays open.
start() {
  [ -p open ] || mkfifo open; exec 9<> open
  mkfifo up.fifo; "$@" < open > up.fifo 2> /dev/null & started="$started $!"; trap 'kill $started 2> /dev/null' EXIT
  exec 8< up.fifo; read -r up <&8; rm up.fifo
}

# Referees that run already, with these options: `players` and `spectators` are their addresses. The built-in one ends after its games.
serve() { start urtext referee "$@"; addresses; }
server() { start $PYTHON $PEERS/ur_server.py "$@"; addresses; }
addresses() { for word in $up; do case $word in players=*) players=${word#*=} ;; spectators=*) spectators=${word#*=} ;; esac; done; }

# The independent server of matches with these options, at `url`.
coco() { start $PYTHON $PEERS/coco_server.py --seed 7 "$@"; url=coco://${up#listening on }/; }
coco_games="--no-diagnosis $patient --free-games"

scenarios=${PEERS%/tests/peers}/scenarios
cases=${PEERS%/peers}/cases
