# A game of wrapped bots is recorded whole and verified.
bot() { echo "urtext record -o $1.jsonl -- urtext bot royalur --seed $2"; }
urtext referee royalur --seed 8 --pace 0 --bot "$(bot first 2)" --bot "$(bot second 3)" > /dev/null 2> /dev/null; echo "status $?"
only '2 games, 0 complaints$' urtext verify --complete first.jsonl second.jsonl; echo "status $?"
only '^pass first.jsonl \+ second.jsonl: ' urtext verify --together --complete first.jsonl second.jsonl; echo "status $?"
only 'has won' urtext replay --print first.jsonl second.jsonl; echo "status $?"
only 'has won' urtext replay --print second.jsonl; echo "status $?"
urtext check first.jsonl

# Recordings of two games are not one.
bot() { echo "urtext record -o $1.jsonl -- urtext bot royalur --seed $2"; }
urtext referee royalur --seed 9 --pace 0 --bot "$(bot other 2)" --bot "$(bot third 3)" > /dev/null 2> /dev/null; echo "status $?"
only '^fail' urtext verify --together first.jsonl third.jsonl

only "invalid value 'go' for '--game <GAME>'" urtext record --game go -- true

# It ends as the bot does, and leaves its standard error alone.
urtext record -o a.jsonl -- sh -c 'echo thinking >&2; printf 3; exit 7' 2> said; echo " status $?"; head -n 1 said
grep -oE '"text":"3".*|"exited":.*' a.jsonl

urtext record -o b.jsonl -- sh -c 'kill -9 $$' 2> /dev/null

only 'read as .*' urtext verify b.jsonl

# A bot that cannot be started leaves no recording.
only '`/no/such/bot` cannot be started' urtext record -o c.jsonl -- /no/such/bot; echo "status $?"; test -e c.jsonl

urtext record -o /dev/null/a.jsonl -- true 2> /dev/null

# Without room for a recording none is left, and no device is removed.
(ulimit -f 0; urtext record -o e.jsonl -- true); echo "status $?"; ln -s /dev/null null; urtext record -o null -- /no/such/bot 2> /dev/null; test -e e.jsonl || ls null

# A missing folder is made.
urtext record -o no/such/folder/a.jsonl -- true 2> /dev/null; test -s no/such/folder/a.jsonl

urtext record 2> /dev/null

# An address that is none is refused.
only 'an address is HOST:PORT, or :PORT on this machine' urtext record --listen 4000 --connect :1

only 'an address is HOST:PORT, or :PORT on this machine' urtext record --listen :0 --connect here:port

urtext record --spectate here 2> /dev/null

# A bot that ends in mid-game fails, and verify tells how. Its input stays open until it has ended.
mkfifo input; exec 9<> input
told() {
  printf 'Ann\nBob\n0\n0 1 1 0\n' >&9
  urtext record -o $1 -- sh -c "for line in 1 2 3 4; do read -r line; done; $2" < input > /dev/null 2> /dev/null; echo "status $?"
  only '^fail: the bot ended .*' urtext verify $1; echo "status $?"
}
told due.jsonl 'exit 0'
told killed.jsonl 'kill -9 $$'
told early.jsonl 'echo 0; exit 2'
told half.jsonl 'printf 0; exit 2'
# One whose referee left first is not blamed.
printf 'Ann\nBob\n0\n0 1 1 0\n' | urtext record -o left.jsonl -- sh -c 'cat > /dev/null' 2> /dev/null; echo "status $?"
only 'incomplete: stops where Ann \(first\) has to move' urtext verify left.jsonl

# Its recording goes on no more, so that nobody waits for the rest.
urtext replay --follow --moves left.jsonl 2>&1 | tail -n 1
