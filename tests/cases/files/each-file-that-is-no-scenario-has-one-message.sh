urtext check missing.yaml

: > empty.yaml
urtext check empty.yaml

printf '\377\376\0' > binary.yaml
urtext check binary.yaml

echo hello > other.txt
urtext check other.txt

truncate -s 100M large.yaml
urtext check large.yaml

# An alias bomb.
{
  echo 'k0: &n0 [x, x, x, x, x, x, x, x, x]'
  for n in $(seq 19); do echo "k$n: &n$n [$(yes "*n$((n - 1))" | head -n 9 | paste -s -d,)]"; done
} > bomb.yaml
urtext check bomb.yaml

ln -s loop.yaml loop.yaml
urtext check loop.yaml 2>&1 | sed 's/: Too many.*/: …/'

ln -s /dev/zero device.yaml
urtext check device.yaml

# `run` says the same.
for file in missing.yaml empty.yaml large.yaml bomb.yaml loop.yaml device.yaml; do urtext run $file 2>&1 | sed 's/: Too many.*/: …/; q'; done
