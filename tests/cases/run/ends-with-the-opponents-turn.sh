# After the last turn, the opponent's, the bot is on turn in a game without rolls: its move was asked for, though nobody waits for it.
cat > s.yaml <<'END'
scenario: the last turn is the opponent's
game: onitama
subject: bot
seat: top
checks: [oni/bot/valid-move]
deal: Mantis,Horse,Goose,Frog,Eel
starter: bottom
turns:
  - opponent: Goose b5 a4
  - bot: any
  - opponent: any
END
for seed in 1 2 3 4; do urtext run s.yaml --seed $seed --subject built-in; done
