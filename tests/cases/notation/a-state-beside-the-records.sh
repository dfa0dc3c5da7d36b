urtext replay hc-ur/captured.json --to state > right.json
sed 's/"complete": true/"complete": false/' right.json > wrong.json
urtext verify hc-ur/captured.json --state right.json

urtext verify hc-ur/captured.json --state wrong.json

sed 's/"tokens_home": 5/"tokens_home": 8/' right.json > impossible.json
urtext verify hc-ur/captured.json --state impossible.json

urtext verify hc-ur/captured.json --state missing.json

urtext verify hc-ur/captured.json --state hc-ur/captured.json
