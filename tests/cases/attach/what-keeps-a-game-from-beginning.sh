# A subject that never comes is an error that says what was waited for. Each waits beside the others.
bot() { play $1 royalur/bot/first-seat "as: bot, game: royalur, $2" "$3" & }
referee() { play $1 royalur/referee/seed-example "as: referee, game: royalur, rolls: {environment: R}, $2" "$3" & }
play() ( mkdir $1; cd $1; echo "subjects: {s: {$3}}" > urtext.yaml; (only "$4" urtext run --subject s --suite $2 --budget start=5s; echo "status $?") > said )
bot 1 "command: [sh, -c, 'exec sleep 600', '{host}', '{port}']" 'nobody connected to 127.0.0.1:'
bot 2 "command: [sleep, '600'], reach: named-pipes" 'nobody opened the named pipe'
bot 3 "command: [sh, -c, 'exec sleep 600', '{port}'], reach: listens" 'nobody accepted a connection at 127.0.0.1:'
referee 4 "command: [sleep, '600'], reach: seats" 'the referee did not start the command of the seat `first`'
referee 5 "command: [sleep, '600']" 'the referee did not print where it listens \(the start budget is over\)'
referee 6 "command: [sh, -c, 'echo starting; exec sleep 600'], ready: 'ready on {port}'" 'the subject did not print a line with `ready on \{port\}` \(the start budget is over\)'
wait; cat ?/said

# One that cannot be started or ends at once says how.
bot() { play royalur/bot/first-seat "as: bot, game: royalur, $1" "$2"; }
referee() { play royalur/referee/seed-example "as: referee, game: royalur, rolls: {environment: R}, $1" "$2"; }
play() { echo "subjects: {s: {$2}}" > urtext.yaml; only "$3" urtext run --subject s --suite $1 --budget start=60s; echo "status $?"; }
referee "command: [sh, -c, 'echo booting; echo Listening at port 4000'], ready: 'ready on {port}', spectators: none" \
  'the referee ended before everybody was connected: exit status 0|the subject printed on standard output:|Listening at port 4000'
referee "command: [sh, -c, 'exit 0'], ready: 'on {port}'" 'the referee ended before everybody was connected: exit status 0'
referee "command: [no-such-program-at-all, '{port}']" '`no-such-program-at-all` cannot be started'
bot 'command: [no-such-program-at-all]' 'error: `no-such-program-at-all` cannot be started|note: check that the program exists'
bot 'command: [/etc/passwd]' 'Permission denied'
referee "command: [sh, -c, 'echo sorry >&2; exit 3']" 'the referee ended before everybody was connected: exit status 3|note: start it by hand|sorry'
referee "command: [sh, -c, 'echo hello']" 'the referee ended before everybody was connected: exit status 0|the subject printed on standard output:|hello'

# What a subject lacks is unsupported in its own words. Without a place for the pace, the scenario is.
echo "subjects: {s: {as: referee, game: royalur, command: [sh, '{port}']}}" > urtext.yaml
only '1 unsupported' urtext run --subject s --suite royalur/referee/pace

echo "subjects: {s: {as: referee, game: royalur, command: [sh], ready: 'on {port}', rolls: {environment: R}}}" > urtext.yaml
only 'nothing says where they connect \(\{spectator_port\} in `ready`\)' urtext run --subject s --suite royalur/referee/two-spectators

# A bot that never says a byte.
only 'the bot sent nothing|does it flush its output|note: is this a bot for' \
  urtext run --suite royalur/bot/first-seat --budget start=5s --budget answer=5s --as bot -- sh -c 'exec tail -f /dev/null'

# A seat without a session.
unset URTEXT_SEATS; only 'no session of urtext waits for this seat' urtext seat first --sockets /nowhere/at/all

unset URTEXT_SEATS; urtext seat first 2> /dev/null
