urtext run --suite royalur/bot/first-seat --subject built-in --fault forget-captures

urtext explore --subject built-in --fault banana

urtext doctor --subject built-in --fault tails --as bot

urtext run --suite royalur/bot/first-seat --subject built-in --fault tails --game onitama

urtext run --suite royalur/bot/first-seat --fault tails

urtext run --subject built-in --config urtext.yaml

urtext run --suite royalur/bot/first-seat --subject built-in --set depth=3

printf 'subjects:\n  mine: {as: bot, game: royalur, command: [x]}\n' > urtext.yaml
urtext run --suite royalur/bot/first-seat --subject mine --fault tails

urtext explore --subject mine --as bot

urtext doctor --subject coco://127.0.0.1:1/ --as referee

urtext run --subject coco://127.0.0.1:1/ --config urtext.yaml

urtext run --suite royalur/bot/first-seat --network busy --as bot -- x
