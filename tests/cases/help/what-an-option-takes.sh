# The tip for an option of other commands is one of this command.
for command in requirements verify 'replay game --print'; do urtext $command --json 2>&1 | grep -E 'error|tip: a'; done

# The list of requirements takes patterns.
urtext requirements 'ur/*/cell-8'; urtext requirements 'ur/*/cell-9'

# A length of time has a unit.
urtext explore --for abc

urtext run --for 30

urtext run --budget answer=abc
