urtext init

urtext init -- b

urtext init --as referee --game ur

urtext init --as bot --game ur --connect h:1

urtext init --as bot --game ur -- b '{prot}'

urtext init --as bot --game royalr -- b

urtext init --as referee --game ur --connect nowhere

urtext init --as referee --game ur --connect 10.0.0.1:0

test -e urtext.yaml

printf '#!/bin/sh\n' > bot
urtext init --as bot --game royalur -- sh bot && cat urtext.yaml && urtext check

urtext init --as referee --game onitama -- judge

rm urtext.yaml
urtext init --as referee --game onitama -- judge && cat urtext.yaml

rm urtext.yaml
urtext init --as referee --game royalur -- ./referee {port} && cat urtext.yaml

rm urtext.yaml
urtext init --as bot --game lines -- b {port} && grep reach urtext.yaml

rm urtext.yaml
urtext init --as referee --game royalur --connect 127.0.0.1:4000 && cat urtext.yaml
