# 0 conforms, 1 does not, 2 usage, 3 broken, 4 open.
only '^1 scenario: .*' urtext run --suite royalur/referee/own-token $referee --fault stacking

only 'fail\[ur/bot/silent-when-skipped\]' urtext run --suite royalur/bot/silent-after-roll-0 $bot --fault answers-when-skipped

# A subject that cannot be started.
urtext run --suite royalur/bot --as bot -- ./no-such-bot > said; echo "status $?"; grep -c '`./no-such-bot` cannot be started' said
grep -oE '[0-9]+ skipped, 1 could not be played' said | sed 's/^[0-9]*/N/'

# What cannot be tested, unless it is excused.
only 'unsupported: it forces rolls, and this referee takes none' urtext run --suite royalur/referee/own-token $free_ur

urtext run --allow unsupported --suite royalur/referee/own-token $free_ur > /dev/null

urtext run --allow inconclusive --suite royalur/referee/own-token $free_ur > /dev/null

# A step that a way of reaching the subject cannot do is unsupported there. All else that is not a clean line is the same there as over TCP.
cat > urtext.yaml <<'END'
subjects:
  s:
    as: referee
    game: royalur
    command: [urtext, referee, royalur, --bot, '{seat_first}', --bot, '{seat_second}', --spectators, '{spectators}', --timeout, '{timeout}', --pace, '{pace}']
    ready: 'listening spectators={spectators}'
    rolls: {environment: URTEXT_ROLLS}
    budgets: {start: 60s, handshake: 60s, answer: 60s, close: 10s}
END
for name in gone-on-turn#reset gone-off-turn#reset gone-on-turn#hang-up gone-on-turn#half-close gone-off-turn#half-close \
  half-a-line-then-the-rest half-a-line-and-no-more newline-never-comes two-lines-in-one-write sent-before-its-turn illegal-lines \
  number-forms over-long-line; do
  echo "$name: $(only 'unsupported: it resets a connection' urtext run --suite royalur/referee/$name --subject s -v; echo $?)"
done

# A game that went another way.
printf 'scenario: it goes on only after one of seven moves\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/legal-token]\nturns:\n  - bot: 0 0 1 1 > 6\n  - opponent: 0 0 0 1 > 0\n' > other.yaml
only 'inconclusive: the bot chose 0' urtext run other.yaml $bot

urtext run other.yaml --allow inconclusive $bot > /dev/null

# A failure outweighs what could not be played: this bot dies of the odd names before it has said anything, and moves onto its own tokens
# elsewhere.
script='read a; read b; case "$a$b" in *0*) exit 9;; esac
(echo "$a"; echo "$b"; cat) | urtext bot royalur --policy first --fault moves-onto-own-token'
only 'fail\[ur/bot/odd-names\]' urtext run --no-diagnosis --suite royalur/bot/odd-names --suite royalur/bot/no-move-onto-an-own-token --as bot -- sh -c "$script"
