printf '# mine\nsubjects:\n  mine: {as: bot, game: ur, command: [cat]}\n' > robots.yaml
urtext check robots.yaml

urtext run robots.yaml
