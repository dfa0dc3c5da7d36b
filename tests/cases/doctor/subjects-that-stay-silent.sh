# Only silence spends these budgets, once the program is started. Each waits beside the other.
it() (
  mkdir $1; cd $1; echo "subjects: {it: {$2, command: [sleep, '600'], budgets: {start: 5s, handshake: 5s, answer: 5s, close: 100ms}}}" > urtext.yaml
  (only "$3" urtext doctor --subject it; echo "status $?") > said
)
it 1 "as: referee, game: royalur, ready: 'on {port}', spectators: none" \
  '^  error         starts      see below|did not print a line with `on \{port\}`|--budget start=DURATION gives it more time' &
it 2 'as: bot, game: onitama, reach: stdio' '^  ok            starts      connected: |^  error         first move  see below|error: the bot sent nothing' &
wait; cat ?/said
