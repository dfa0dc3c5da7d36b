cp $cases/subjects/_known-failures.yaml urtext-baseline.yaml
urtext check

printf 'failures:\n  a: b\n' > urtext-baseline.yaml
urtext check

printf 'failures:\n  []\n' > urtext-baseline.yaml
urtext check
