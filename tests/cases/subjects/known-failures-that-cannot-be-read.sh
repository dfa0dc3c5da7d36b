cp $cases/subjects/_known-failures.yaml urtext-baseline.yaml
urtext check

printf 'failures:\n  a: b\n' > urtext-baseline.yaml
urtext check

printf 'failures:\n  []\n' > urtext-baseline.yaml
urtext check

# All entries may be deleted, and others may be added after that.
printf 'failures:\n' > urtext-baseline.yaml
urtext check && urtext run --suite royalur/referee/own-token --fault stacking --update-baseline 2> /dev/null | tail -n 1; cat urtext-baseline.yaml
