printf '%s\n' 'scenario: two moves' 'game: royalur' 'subject: referee' 'attempts: 2' 'checks: [ur/move/relayed-to-opponent, ur/win/seven-out, ur/exit/exact]' 'turns:' '  - play: until mover can move' '  - mover: any' '  - mover: any' > two.yaml && urtext run two.yaml

sed -e 's/, ur.win.seven-out, ur.exit.exact//' two.yaml > one.yaml && urtext run one.yaml

printf '%s\n' 'scenario: to the end' 'game: royalur' 'subject: referee' 'checks: [ur/win/seven-out, ur/exit/exact]' 'turns:' '  - play: to the end' > end.yaml && urtext run end.yaml

printf '%s\n' 'scenario: silent' 'game: royalur' 'subject: referee' 'timeout: 1s' 'checks: [ur/retire/timeout]' 'turns:' '  - play: until second can move' '  - mover: silent' > silent.yaml && urtext run silent.yaml
