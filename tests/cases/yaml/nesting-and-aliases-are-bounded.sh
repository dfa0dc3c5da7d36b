repeated() { yes "$1" | head -n "$2" | tr -d '\n'; }
{ printf 'a: '; repeated '[' 63; repeated ']' 63; } > s.yaml
urtext check s.yaml 2>&1 | grep -c 'too deep'

{ printf 'a: '; repeated '[' 64; repeated ']' 64; } > s.yaml
urtext check s.yaml

{ printf 'a:\n  '; yes -- '- ' | head -n 64 | tr -d '\n'; echo x; } > s.yaml
urtext check s.yaml

repeated '[{a: ' 500000 > s.yaml
urtext check s.yaml 2>&1 | cut -c 1-100

{ echo 'k0: &n0 x'; for n in $(seq 59); do echo "k$n: &n$n [[*n$((n - 1))]]"; done; } > s.yaml
urtext check s.yaml

{ printf 'a: &a '; repeated x 1000000; printf '\nb: ['; yes '*a, ' | head -n 100 | tr -d '\n'; echo ']'; } > s.yaml
urtext check s.yaml 2>&1 | cut -c 1-100
