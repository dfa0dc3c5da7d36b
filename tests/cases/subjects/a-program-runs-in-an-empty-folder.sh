echo 'print(1)' > bot.py
cat > urtext.yaml <<END
subjects:
  one: {as: bot, game: ur, command: [sh, bot.py]}
  two: {as: bot, game: ur, command: [sh, bot.py], folder: .}
  three: {as: bot, game: ur, command: [sh, '{here}/bot.py']}
END
urtext check
