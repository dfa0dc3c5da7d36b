cat > scene.sh <<'END'
scene() {
  printf '%s\n' "scenario: $1" "game: $2" 'subject: referee' "checks: [$3]" 'timeout: 2s' 'turns:' "$4" > scene.yaml
  urtext check scene.yaml || return
  shows='"[^"]*" was taken[a-z ]*|[0-9]+ (passed|failed|lenient|inconclusive)|as the game went.*'
  only "$shows" urtext run --no-diagnosis scene.yaml --subject built-in && only "$shows" urtext run --no-diagnosis $patient scene.yaml --subject $2
}
END
cat > urtext.yaml <<END
subjects:
  royalur: {as: referee, game: royalur, rolls: {environment: UR_ROLLS}, command: [$python, $PEERS/ur_referee.py, --port, '{port}', --spectator-port, '{spectator_port}', --spectators, '{spectators}', --pace, '{pace}', --timeout, '{timeout}']}
  onitama: {as: referee, game: onitama, command: [$python, $PEERS/oni_judge.py, --port, '{port}', --timeout, '{timeout}']}
END

. ./scene.sh; scene 'moves in pieces after forced rolls' royalur ur/move/relayed-to-opponent '  - first: 0 0 1 1 > 3
    send: ["{move}", {pause: 100ms}, "\n"]
  - second: 0 0 0 1 > any as a
    send: "{move}\n"
  - first: 0 0 0 1 > any
  - second: 0 0 1 1 > any except a'

. ./scene.sh; scene 'a plus before a move' royalur ur/input/number-format '  - first: 0 0 1 1 > 3
    send: "+{move}\n"'

. ./scene.sh; scene 'choices after forced rolls' royalur ur/move/relayed-to-opponent '  - first: 0 0 1 1 > any
  - second: 1 1 1 1 > any as a
  - second: 1 0 1 0 > any except a
  - first: 0 1 0 0 > any as b'

. ./scene.sh; scene 'a capture by whichever token' royalur ur/capture/shared-lane '  - first: 0 0 1 1 > 3
  - second: 1 1 1 1 > 0
  - second: 1 0 1 0 > 0
  - first: 0 1 0 0 > 3
  - second: 0 0 0 0
  - first: 1 0 1 1 > any capture
    send: ["{move}", {pause: 100ms}, "\n"]'

. ./scene.sh; scene 'a move onto an own token' royalur ur/retire/own-token '  - first: 0 0 0 1 > 0
  - second: 0 0 1 1 > 0
  - first: 0 0 0 1 > illegal own-token
    send: ["{move}", {pause: 100ms}, "\n"]'

. ./scene.sh; scene 'this refused move by a line of its own' royalur ur/retire/own-token '  - first: 0 0 0 1 > 0
  - second: 0 0 1 1 > 0
  - first: 0 0 0 1 > 1 illegal
    send: "{move}\n"'

. ./scene.sh; scene 'choices of whoever is on turn' royalur ur/move/relayed-to-opponent '  - mover: any as a
  - mover: any except a
  - play: until mover can capture
  - mover: any capture as b
    send: "{move}\n"
  - mover: illegal'

. ./scene.sh; scene 'this move in whatever position comes up' royalur ur/retire/own-token '  - first: 0 0 0 1 > 0
  - play: until first can break own-token
  - first: illegal own-token
    send: ["{move}", {pause: 100ms}, "\n"]'

. ./scene.sh; scene 'a line of a named player without a roll' royalur ur/retire/not-a-number '  - play: until first can move
  - first: "\"banana\" illegal"'

. ./scene.sh; scene 'a spectator closes half' royalur ur/move/relayed-to-spectators '  - first: 0 0 1 1 > 3
    meanwhile: [spectator 1: half-close]
  - second: 0 0 1 1 > 3'

. ./scene.sh; scene 'a named move in pieces' onitama oni/move/broadcast '  - mover: any
    send: ["{move}", {pause: 100ms}, "\n"]
  - mover: any as a
  - mover: illegal opponents-card
    send: "{move}\n"'
