urtext run --set timeout=5s

urtext run --suite royalur/bot/first-seat --as bot --set tmeout=5s -- cat

urtext run --suite royalur/bot/first-seat --as bot --set timeout -- cat

urtext run --suite royalur/bot/first-seat --as bot --set timeout=fast --set budgets.anwser=9s --set rolls=none -- cat {prt}

urtext run --suite royalur/referee/own-token --as referee --set late-spectator=noting --set pace=31s --set 'limits={cpu: 1ms}' -- cat

urtext run --suite royalur/bot/first-seat --as bot --set 'timeout=[' -- cat

urtext run --suite royalur/bot/first-seat --as bot -- cat {port}

urtext run --suite royalur/referee/own-token --as referee --connect 127.0.0.1 --set wait-for=1 --set spectators.wait-for=10000

urtext run --suite royalur/referee/own-token --as referee --set reach=listens

urtext run --suite royalur/bot/first-seat --subject 'coco://localhost/?pace=31s'

printf 'subjects:\n  mine: {as: bot, game: royalur, command: [cat, "{depth}"], parameters: {depth: {type: number}, mode: slow}}\n' > urtext.yaml
urtext run --suite royalur/bot/first-seat --subject mine --set depht=3

sed -i 's/, mode: slow//' urtext.yaml
urtext run --suite royalur/bot/first-seat --subject mine --set depht=3

urtext run --suite royalur/bot/first-seat --subject mine --set depth=deep --set timeout=fast

urtext run --suite royalur/bot/first-seat --subject mine --set parameters.depth=3 --set reach=seats

# The only subject of the file needs no name.
urtext run --suite royalur/bot/first-seat --set depth=deep

# A wrong type of a parameter is one error.
echo "subjects: {mine: {as: bot, game: royalur, command: [cat, '{depth}', '{mode}'], parameters: {depth: {type: nummer}, mode: []}}}" > urtext.yaml
urtext check
