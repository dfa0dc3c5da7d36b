# Who says nothing has the start budget.
misses() { mkdir $1; cd $1; coco --misbehave $1; only "gave no answer in time to .*" urtext run --subject $url --free-games 1 --budget start=5s; echo "status $?"; }
(misses silent-handshake) > one &
(misses trickling-opening) > two
wait; cat one two

# A frame of which the rest never comes is silence.
coco --misbehave endless-frame; only 'nothing for ' urtext run --subject $url --free-games 1 --no-diagnosis

# Who never says that the match is over is only observed.
coco --misbehave never-ends
only 'still open 200.0ms after the end of the game' urtext run --subject $url --free-games 1 --budget close=200ms -v

# Nobody listens at a port, which is kept meanwhile: of a server of matches, and of a referee.
start $PYTHON -c 'import socket, time; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1], flush=True); time.sleep(600)'
hide=s/$up/PORT/; nobody() { only 'nobody accepted a connection at 127.0.0.1:[0-9]+' "$@"; echo "status $?"; }
(nobody urtext run --subject coco://127.0.0.1:$up/ --free-games 1 --budget start=5s) > one & match=$!
only 'error: nobody accepted a connection at 127.0.0.1:[0-9]+|note: check the address' urtext run --free-games 1 --as referee --budget start=5s --connect 127.0.0.1:$up
echo "status $?"; wait $match; cat one
nobody urtext verify coco://127.0.0.1:$up/abc
nobody urtext record --spectate coco://127.0.0.1:$up/
