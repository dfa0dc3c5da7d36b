printf 'turns:\n  - first: 0 0 1 1 > 3\n' > _opening.yaml
urtext check _opening.yaml
