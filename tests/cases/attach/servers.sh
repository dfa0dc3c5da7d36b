# Referees that run already ($PYTHON) and play one game after the other. The games end for urtext after the first move; the referee goes on
# until it sees that. The next game waits until a server has done with the one before.
for n in 1 2 3; do cp $cases/attach/_first-move.yaml game-$n.yaml; done
games() { only '^3 scenarios: .*' urtext run game-?.yaml --no-diagnosis $patient "$@"; echo "status $?"; }
waits() { server "$@"; games --as referee --connect $players; }
# Whoever comes before the old connections are closed is turned away, or nobody listens, or nobody answers.
waits --linger 0.2
waits --linger 0.2 --busy refuse
waits --linger 0.2 --busy silent
# So many are turned away in any case.
waits --turn-away 5
server --turn-away 4 --spectators 1
games --as referee --connect $players --set spectators=$spectators

# A referee gets as many spectators as it waits for. What needs another number cannot be played there.
games() { only '^3 scenarios: .*' urtext run game-?.yaml --no-diagnosis $patient "$@"; echo "status $?"; }
for number in 0 2; do
  server --spectators $number
  echo "subjects: {mine: {as: referee, game: royalur, players: '$players', spectators: {at: '$spectators', wait-for: $number}}}" > urtext.yaml
  games --subject mine
  only '^1 scenario: .*' urtext run --suite royalur/referee/spectator-joins-late --no-diagnosis $patient --subject mine; echo "status $?"
done

# A server that breaks off is one finding, and the run goes on when it is back.
start sh $cases/attach/_server-that-is-back.sh; addresses
shown='fail: the server broke off in game .*|after that: | has ended$'
only "^4 scenarios: .*|$shown|specification:" \
  urtext run --free-games 4 --as referee --no-diagnosis --budget start=60s --budget answer=60s --connect $players
echo "status $?"; cat ended

# The games after a server has broken off say that it was gone: only the first one of them waits for all of the start budget.
server --die-in 2
only '^5 scenarios: .*|fail: the server broke off in game .*|error: the server was gone|it was last heard in game 2: royalur/free-game-2' \
  urtext run --free-games 5 --as referee --no-diagnosis --budget start=5s --budget answer=60s --connect $players

# A server that keeps the board of the game before is known for it.
for n in 1 2 3 4; do cp $cases/attach/_capture.yaml kept-$n.yaml; done
server --keep board --seed 2
cause='the referee behaves as if the board was still that of the game before'
only "$cause: this explains 3 of 3 failures, and fits the game that passed|\]: game 1 passed, games 2 to 4 failed: $cause \(|^repeat: .* run --repeat 2 " \
  urtext run --no-gate --budget start=60s --budget answer=60s kept-?.yaml --as referee --connect $players

# What a late spectator receives is held against what is declared. Where nobody has said what is shown, only a whole stream shows that
# nothing was lost.
late() {
  echo "subjects: {s: {as: referee, game: royalur, rolls: {environment: UR_ROLLS}, late-spectator: $2, command: [$python, $PEERS/ur_gallery_referee.py, --port, '{port}',
    --spectator-port, '{spectator_port}', --spectators, '{spectators}', --timeout, '{timeout}', --pace, '{pace}', --late, $1]}}" > urtext.yaml
  only 'spectator 2 joined late and received .*' urtext run --subject s --suite royalur/referee/spectator-joins-late --budget start=60s -v; echo "$1, $2: status $?"
}
late whole whole
late whole unknown
late from-now unknown
late names from-now
late names whole
late refused nothing
