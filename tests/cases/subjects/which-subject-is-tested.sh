echo 'urtext run --no-diagnosis "$@" > out; echo "status $?"; head -1 out; grep "^repeat: \| scenarios\?: " out | sed "s/ in [0-9.]* s$//"' > run
cp $cases/subjects/_two.yaml two.yaml
(echo 'default: bad'; cat two.yaml) > urtext.yaml
sh run --suite royalur/bot/no-move-onto-an-own-token

sh run --suite royalur/bot/no-move-onto-an-own-token --subject good

mkdir below && cd below && sh ../run --suite royalur/bot/no-move-onto-an-own-token | sed 's|from /.*/|from the folder above: |'

sh run --suite royalur/bot/no-move-onto-an-own-token --subject built-in

sh run --suite royalur/bot/first-seat --suite royalur/referee/own-token --as bot -- './my bot' --level 3

cp two.yaml urtext.yaml
urtext run --suite royalur/bot/no-move-onto-an-own-token

urtext run --free-games 1

(echo 'default: godo'; cat two.yaml) > urtext.yaml
urtext run --suite royalur/bot/no-move-onto-an-own-token

(echo 'default: [good, bad]'; cat two.yaml) > urtext.yaml
urtext run --suite royalur/bot/no-move-onto-an-own-token

(echo 'default: [good, good]'; cat two.yaml) > urtext.yaml
urtext run --suite royalur/bot/no-move-onto-an-own-token

(cat two.yaml; echo '  built-in: {as: bot, game: royalur, command: [urtext]}') > urtext.yaml
urtext run --suite royalur/bot/no-move-onto-an-own-token

cp $cases/subjects/_ref.yaml ref.yaml
(echo 'default: [good, ref]'; cat two.yaml ref.yaml) > urtext.yaml
sh run --suite royalur/bot/no-move-onto-an-own-token --suite royalur/referee/own-token

sed -i '/rolls/d' ref.yaml
(echo subjects:; cat ref.yaml; echo '    command: [urtext, referee, royalur, --pace, "0", --spectators, "{spectators}"]') > urtext.yaml
sh run --free-games 1

echo 'subjects: {mine: {as: bot, game: royalur, command: [urtext, bot, royalur]}}' > urtext.yaml
sh run --suite royalur/bot/first-seat --suite royalur/referee/own-token --suite onitama/bot/no-move-onto-an-own-piece

sh run --suite royalur/bot/first-seat --suite royalur/referee/own-token

rm urtext.yaml
sh run --suite royalur/bot/first-seat --suite royalur/referee/own-token

sh run --suite onitama/bot/no-move-onto-an-own-piece --as bot -- urtext bot onitama {host} {port}

sh run --suite onitama/bot/no-move-onto-an-own-piece --suite royalur/bot/first-seat --as bot -- urtext bot royalur

urtext run --game royalur --suite onitama/bot/no-move-onto-an-own-piece --as bot -- urtext bot royalur
