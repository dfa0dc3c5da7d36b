printf 'speed: 1\ngoldn: x\nweather: fine\n' > s.yaml
urtext check s.yaml

# A slip for a missing key is one fault.
printf 'scenario: t\ngmae: royalur\nsubject: referee\nchecks: [ur/roll/line]\nturns: [first: 0 0 0 0]\n' > s.yaml
urtext check s.yaml

# A slip for a key that is there.
printf 'scenario: t\ngame: royalur\nGame: ur\nsubject: referee\nchecks: [ur/roll/line]\nturns: [first: 0 0 0 0]\n' > s.yaml
urtext check s.yaml
