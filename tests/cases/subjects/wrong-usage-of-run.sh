urtext run --suite royalur/refere

urtext run --suite royalur/referee/own-token --as referee

urtext run --suite royalur/bot/first-seat --as bot

urtext run --suite royalur/bot/first-seat --as bot --game royalu -- x

urtext run --suite royalur/bot/first-seat --as bot -- x --seed={sed}

urtext run --suite royalur/referee/own-token --as bot -- urtext

urtext run --free-games 2 --suite x

urtext run --free-games 2

urtext run --free-games 2 --as bot -- x

urtext run --nonsense

urtext run --budget answer=soon

urtext run --budget banana=1s

urtext run --budget 1s

printf 'scenario: a move that the rules refuse\ngame: royalur\nsubject: bot\nseat: second\nchecks: [ur/bot/legal-token]\nturns:\n  - opponent: 0 0 1 1 > 9\n' > a.yaml
(sed 's/> 9/> 2/' a.yaml; echo '  - bot: 0 0 0 1 > any') > b.yaml
urtext run --record rec a.yaml b.yaml

test -e rec

urtext run -j 0

urtext run --retries x

urtext run --suite onitama/bot/top-start

urtext run onitama/bot/top-starts

urtext run --suite royalur/referee/own-token --only own-token --only own-tokn --skip 'tag:x' 2>&1 | grep -A2 'note\[run/pattern'

urtext run --as bot -- 'python3 bot.py'
