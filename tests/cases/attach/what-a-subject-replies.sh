# A subject ($PYTHON) that listens at a port and does this with the listener `l`; what it replies on connecting is held against what was
# expected.
python() {
  printf 'import os, socket, sys\nl = socket.create_server(("127.0.0.1", int(sys.argv[1])))\n%s\n' "$2" > s.py
  echo "subjects: {s: {as: referee, game: royalur, rolls: {environment: R}, command: [$python, '{here}/s.py', '{port}'], $1}}" > urtext.yaml
}
join="spectators: none, players: {say: ['JOIN {name}'], expect: ['WELCOME {any}']}"
play() { only "$1" urtext run --subject s --suite royalur/referee/seed-example --budget start=60s; echo "status $?"; }
python "$join" 'c, _ = l.accept(); c.recv(99); c.send(b"FULL\n"); c.recv(99)'
play 'on connecting, the subject replied `FULL`, not `WELCOME \{any\}`'
python "$join" 'c, _ = l.accept(); c.recv(99); c.close(); l.accept()'
play 'on connecting, the subject did not reply to `JOIN PlayerA`'
# Who connects first is the scenario's choice.
python "spectators: {at: same-port, say: [WATCH], expect: [never]}, players: {say: ['JOIN {name}'], expect: ['never']}" \
  'c, _ = l.accept(); c.send(b"first: " + c.recv(99)); l.accept()'
first() { only 'on connecting, the subject replied `.*`, not `never`' urtext run one.yaml --subject s --budget start=60s; echo "status $?"; }
cp $cases/attach/_one-turn.yaml one.yaml; first
echo 'connect: [spectator, player, player]' >> one.yaml; first
# A handshake that stays unfinished is the referee's failure.
python 'spectators: none' 'for n in range(2):
    c, _ = l.accept()
    c.send(b"PlayerA\n")
    os.dup(c.fileno())
c.recv(99)'
only 'fail\[ur/handshake/second-name\]|the handshake may take 5.0 s; --budget handshake=DURATION says so' \
  urtext run --subject s --suite royalur/referee/seed-example --budget handshake=5s --jobs 1; echo "status $?"

# What was written and not flushed is told from silence. The first line may come within both budgets.
play() (
  mkdir $1; cd $1
  printf 'import os, socket, sys\nl = socket.create_server(("127.0.0.1", int(sys.argv[1])))\n(a, _), (b, _) = l.accept(), l.accept()\n%s\nb.recv(99)' "$2" > s.py
  echo "subjects: {s: {as: referee, game: royalur, rolls: {environment: R}, spectators: none, command: [$python, '{here}/s.py', '{port}']}}" > urtext.yaml
  note='note: "[^"]*" came when the lanes of the players were closed: does it flush its output after each line\?'
  only "$note|the referee said nothing until its players had gone" urtext run --subject s --suite royalur/referee/seed-example \
    --budget start=5s --budget handshake=1s --jobs 1 > said; echo "status $?" >> said
)
names='a.send(b"PlayerA\nPlayerB\n"); a.recv(99);'
play kept-back "$names a.send(b'0\\n'); b.send(b'PlayerA\\n')" &
# That a player who goes away loses is no line that was kept back.
play loses "$names a.send(b'RETIRE\\n'); b.send(b'RETIRE\\n')" &
# Nothing at all until then.
play mute 'a.recv(99); a.send(b"PlayerA\n")'
wait; head kept-back/said loses/said mute/said

# A port that somebody else has taken is replaced by another: the referee is refused its first port by itself.
cat > s.sh <<'END'
[ -e taken ] || { : > taken; [ ! -e thief.py ] || $PYTHON thief.py $0; echo "bind: Address already in use" >&2; exit 1; }
exec urtext referee royalur --listen ":$0" --pace 0
END
echo "subjects: {s: {as: referee, game: royalur, rolls: {environment: URTEXT_ROLLS}, spectators: none, folder: ., command: [sh, -c, '. ./s.sh', '{port}']}}" > urtext.yaml
play() { rm -f taken; only '^1 scenario: .*' urtext run --subject s --suite royalur/referee/seed-example $patient; echo "status $?"; }
play
# By what it leaves there, and urtext meets that first.
echo 'import socket, sys; l = socket.create_server(("127.0.0.1", int(sys.argv[1]))); [l.accept() for _ in range(2)]' > thief.py
play
