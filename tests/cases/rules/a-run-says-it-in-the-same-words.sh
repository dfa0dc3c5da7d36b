printf '%s\n' 'scenario: two moves of a bot' 'game: royalur' 'subject: bot' 'seat: first' 'checks: [ur/bot/newline]' 'turns:' '  - bot: 0 0 0 1 > any' '  - opponent: 0 0 0 0' '  - bot: 0 1 1 1 > any' '  - opponent: 0 0 0 0' > any.yaml && urtext run any.yaml --seed 7

sed -e 's/> any/> 0/' any.yaml > rosette.yaml && urtext check rosette.yaml
