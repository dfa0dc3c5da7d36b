cat > scene.sh <<'END'
printf '%s\n' "scenario: $1" "game: $2" 'subject: referee' "checks: [$3]" 'timeout: 2s' 'turns:' '  - play: until mover can move' "$4" > scene.yaml
urtext check scene.yaml && urtext run scene.yaml
END

sh scene.sh 'a move in pieces' royalur ur/move/relayed-to-opponent '  - mover: any
    send: ["{move}", {pause: 100ms}, "\n"]
  - mover: any'

sh scene.sh 'a kind of move in pieces' royalur ur/move/relayed-to-opponent '  - play: until mover can capture
  - mover: any capture
    send: ["{move}", {pause: 100ms}, "\n"]'

sh scene.sh 'a plus before the move' royalur ur/move/relayed-to-opponent '  - mover: any
  - mover: any
    send: "+{move}\n"
  - play: to the end'

sh scene.sh 'CR LF' royalur ur/move/relayed-to-opponent '  - mover: any
  - mover: any
    send: "{move}\r\n"
  - play: to the end'

sh scene.sh 'half a line' royalur ur/retire/timeout '  - mover:
    send: ["1", {pause: 100ms}]'

sh scene.sh 'a half-close after half a line' royalur ur/move/relayed-to-opponent '  - mover: any
  - mover:
    send: "1"
    then: half-close'

sh scene.sh 'silence by its key' royalur ur/retire/timeout '  - mover:
    silent: until the timeout'

sh scene.sh 'a spectator leaves' royalur ur/move/relayed-to-opponent '  - mover: any
    meanwhile:
      - spectator 1: leave
  - mover: any'

sh scene.sh 'lines off turn' onitama oni/input/off-turn '  - mover: any
    meanwhile:
      - other: {send: [{pause: 100ms}, "banana\n"]}
      - other: send "Cobra a1 a2\n"
  - mover: any'

sh scene.sh 'the other player leaves' royalur ur/move/relayed-to-opponent '  - mover: any
  - mover: any
    meanwhile:
      - other: hang up'
