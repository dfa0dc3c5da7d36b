printf 'turns:\n  - first: > 3\n' > s.yaml
urtext check s.yaml

printf 'checks: [a, b\ngolden: c\n' > s.yaml
urtext check s.yaml

for text in 'a: b: c\n' 'a: 1\n  b: 2\n' 'a: 1\nb\n' 'a:\n  - b\n - c\n' 'a: - b\n' 'a:\n\t- b\n' 'a: "b\n' "a: 1\nb: 'c\nd: e\n" \
  'a: "b" c\n' 'a: "\\q"\n' 'a: [b' 'a: [b}' 'a: @b' 'a: *' 'a: !a!b c' '%%YAML 1.2\n---\na: b' 'a: b\n... c\n' 'a: {b: c\n\n'; do
  printf "$text" > s.yaml
  urtext check s.yaml 2>&1
done
