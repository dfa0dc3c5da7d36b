# Finished games that are played again with a live subject: captured ones by the built-in referees.
only '[a-z]+-again|^3 scenarios: .*' urtext run -v $patient seed/second.txt code-colosseum/spectator.received onitama-judge/top.txt

# A bot is held against the moves that it made. It was recorded in a game of two bots that move the first token that can move.
plays='urtext bot royalur --policy first'
urtext referee royalur --pace 0 --seed 1 --bot "$plays" --bot "urtext record -o bot.jsonl -- $plays" 2> /dev/null > /dev/null; echo "status $?"
only '^1 scenario: .*' urtext run bot.jsonl $patient $bot

# The seat is that of the lane that was recorded, and the finding is where another bot first moved otherwise.
last="--as bot -- urtext bot royalur --policy last"
only 'inconclusive: the bot chose |= board: the board in turn |--> bot.jsonl \(played again\):|repeat: .* --as bot' urtext run bot.jsonl $patient $last

# It goes on live where the finding says: another bot can take over wherever the recorded one has not moved yet.
last="--as bot -- urtext bot royalur --policy last"
urtext run bot.jsonl $patient $last > said
turn=$(sed -n 's/.*a bot may choose another move than the one that was recorded; `--from \([0-9]*\).*/\1/p' said)
grep -q "the board in turn $turn," said && only '^1 scenario: .*' urtext run bot.jsonl $patient --from $turn $last

only '^1 scenario: .*' urtext run bot.jsonl $patient --from 1 --as bot -- urtext bot royalur --policy last

only '^1 scenario: .*' urtext run bot.jsonl $patient --from 20 $bot

urtext run bot.jsonl $patient --seat first $bot > /dev/null; status=$?; test $status = 0 -o $status = 4

only '^1 scenario: .*' urtext run bot.jsonl $patient --from 20

only '^1 scenario: .*' urtext run onitama-judge/top.txt $patient --from 5

test -e bot-again.jsonl

only 'there is no turn 1000 to go on from: the game has ' urtext run bot.jsonl --from 1000

only '.-game-number go with a finished game' urtext run --from 3

only '`--from 1` is a live game' urtext run bot.jsonl --from 0

only 'there is no bot under test' urtext run bot.jsonl --seat first

only 'its seats are first and second' urtext run bot.jsonl --seat top --as bot -- true

only 'add --game onitama' urtext run onitama-judge/top.txt --game royalur --as bot -- true

# A referee that plays the game otherwise fails where it does.
only '\(played again\):|  - second: 1 0 1 0 > 2 illegal|= board: turn 9, second has lost|repeat: urtext run ' urtext run seed/second.txt $referee --fault stacking

# One that takes no rolls cannot play it again.
only 'unsupported|`--free-games 10` plays games that need no hook' urtext run seed/second.txt --as referee -- urtext referee royalur --listen :{port}

# Of a file with several games one is played, and the others are named.
for name in PlayerA Ann Bea; do sed "s/PlayerA/$name/" seed/spectator.txt; echo; done > many.txt
only ' many-again |this file holds several games|`--game-number NUMBER` takes another' urtext run many.txt -v $patient

only ' many-3-again |several games' urtext run many.txt --game-number 3 -v $patient

only 'repeat: urtext run many.txt --seed 1 --from 1 --game-number 2 ' urtext run many.txt --from 1 --game-number 2 $referee --fault six-wins

only 'there is no game 4 in this file: it holds 3 games' urtext run many.txt --game-number 4

only 'go with a finished game' urtext run --game-number 2

# Move records are played again where they have the rolls. Eight turns, and what loses the game is not in the records.
urtext replay seed/spectator.txt --to hc-ur -o whole.json 2> /dev/null; echo "status $?"
only ' whole-again |^1 scenario: .*' urtext run whole.json -v $patient

only '^1 scenario: .*' urtext run whole.json --from 9 $patient

only 'the game has 8 turns' urtext run whole.json --from 10

only 'it holds 1 game' urtext run whole.json --game-number 2

only 'and this game has 162 turns without a roll' urtext run hc-ur/captured.json --as bot -- true
