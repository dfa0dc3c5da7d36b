# 0 conforms, 1 does not, 2 usage, 3 broken, 4 open.
only '^1 scenario: .*' urtext run --suite royalur/referee/own-token $referee --fault stacking

only 'fail\[ur/bot/silent-when-skipped\]' urtext run --suite royalur/bot/silent-after-roll-0 $bot --fault answers-when-skipped

# A subject that cannot be started.
count --suite royalur/bot
only '`./no-such-bot` cannot be started|[0-9]+ skipped, 1 could not be played' urtext run --suite royalur/bot --as bot -- ./no-such-bot

# What cannot be tested, unless it is excused.
only 'unsupported: [^ ]*: it needs a pace of 300ms' urtext run --suite royalur/referee/pace $free_ur

urtext run --allow unsupported --suite royalur/referee/pace $free_ur > /dev/null

urtext run --allow inconclusive --suite royalur/referee/pace $free_ur > /dev/null

# A step that a way of reaching the subject cannot do is unsupported there. All else that is not a clean line is the same there as over TCP.
cp $cases/run/_referee-that-starts-its-players.yaml urtext.yaml
for name in gone-on-turn#reset gone-off-turn#reset gone-on-turn#hang-up gone-on-turn#half-close gone-off-turn#half-close \
  half-a-line-then-the-rest half-a-line-and-no-more newline-never-comes two-lines-in-one-write sent-before-its-turn illegal-lines \
  number-forms over-long-line; do
  echo "$name: $(only 'unsupported: it resets a connection' urtext run --suite royalur/referee/$name --subject s -v; echo $?)"
done

# A game that went another way.
cp $cases/run/_one-of-seven-moves.yaml other.yaml
only 'inconclusive: the bot chose 0' urtext run other.yaml $bot

urtext run other.yaml --allow inconclusive $bot > /dev/null

# A failure outweighs what could not be played: this bot dies of the odd names before it has said anything, and moves onto its own tokens
# elsewhere.
script='read a; read b; case "$a$b" in *0*) exit 9;; esac
(echo "$a"; echo "$b"; cat) | urtext bot royalur --policy first --fault moves-onto-own-token'
only 'fail\[ur/bot/odd-names\]' urtext run --no-diagnosis --suite royalur/bot/odd-names --suite royalur/bot/no-move-onto-an-own-token --as bot -- sh -c "$script"
