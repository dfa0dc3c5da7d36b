# One free game against an independent server ($PYTHON) that does this wrong. Nothing that it says reaches the terminal raw.
bad() { coco --misbehave $1; only "$2" urtext run --subject $url $coco_games 1; echo "$1: status $?"; }
bad plain-http 'closed the connection instead of answering the opening of a WebSocket: HTTP error: 404 Not Found'
bad other-version 'answered the handshake with version 3 of the protocol `coco`; urtext speaks version 2'
bad other-magic 'answered the handshake with version 2 of the protocol `cocoa\\x1b\[31m`; urtext speaks version 2 of `coco`'
bad garbled-handshake 'answered the handshake with `220 welcome \\x1b\[2J`'
bad bytes-for-handshake 'answered the handshake with `\{'
bad closes-at-handshake 'closed the connection instead of answering the handshake'
bad refuses-players 'refused the request to let a player in: "PlayerA" is not a valid username'
bad expires 'error: the match expired in the lobby before everybody had come'
bad closes-mid-game 'the server closed the connection before MatchEnded|the referee broke off the lane of |a lane broken off|reset'
bad drops-mid-game 'the connection broke before MatchEnded'
bad text-for-bytes 'the server sent text that is no message: `0 0 1 1\\n`|the referee broke off the lane of |a lane broken off|reset'
bad other-message 'the server sent the message GameList in a match'
bad no-such-opcode 'the connection broke before MatchEnded'
bad bytes-before-start 'the server sent bytes of the game before it said that the match begins'
bad huge-frame 'Message too long: 4294967296 > 2097152'
bad endless-message 'Message too long: '
bad text-at-the-end 'the server sent text that is no message: `good game`'
bad goes-on-after-the-end '1 passed'

# What it refuses is told in its words.
coco --misbehave hostile-words
only "refused the request for a new match: Game not found\\\\x1b\\[31m\\\\n" urtext run --subject "$url?game=tic-tac-toe" $coco_games 1

# A server that dies is one finding, whatever was played at once.
coco --misbehave dies-mid-game
only '^3 scenarios: .*|fail: the server broke off in game |specification:' \
  urtext run --subject $url --free-games 3 --jobs 3 --no-diagnosis --budget start=5s --budget answer=60s

# Addresses that mean nothing are usage.
play() { only "$2" urtext run --subject "$1" --free-games 1; echo "status $?"; }
play coco:// 'there is no server in this address|write `.*`'
play ws://127.0.0.1:8088/ 'write `.*`'
play coco://127.0.0.1:99999/ 'there is no server in this address|write `.*`'
play coco://127.0.0.1:8088/abc 'this is the address of a match'
play 'coco://127.0.0.1:8088/?pasword=x' '`pasword` says nothing here'
play 'coco://127.0.0.1:8088/?pace=31s' 'the longest pace is 30s'
