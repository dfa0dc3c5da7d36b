# The independent server, which dies in the second game, and a second one at its ports. The first line says where.
exec 6<&0; mkfifo said
$PYTHON $PEERS/ur_server.py --die-in 2 <&6 > said &
exec 7< said; read -r up <&7; echo "$up"
wait $!; echo "it ended with $?" > ended
port() { echo "$up" | sed "s/.*$1=[^ ]*:\([0-9]*\).*/\1/"; }
exec $PYTHON $PEERS/ur_server.py --port $(port players) --spectator-port $(port spectators)
