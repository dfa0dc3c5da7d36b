printf 'mine:\n  as: referee\n  game: royalur\n  command: [ref, "{port}"]\n' > urtext.yaml
urtext check

printf 'as: referee\ngame: royalur\ncommand: [ref]\nrolls: none\n' > urtext.yaml
urtext check

printf 'subject:\n  mine: {as: bot, game: ur, command: [sh]}\n' > urtext.yaml
urtext check
