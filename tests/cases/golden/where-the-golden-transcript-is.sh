# Each golden transcript is empty, so that its fault names the place where it is looked for.
scenario() {
  mkdir -p "$(dirname $1)"
  printf 'scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nturns:\n  - first: 0 0 1 1 > 3\n' > $1
}
scenario scenarios/mine/a.yaml
scenario scenarios/b.yml
scenario scenarios/old/scenarios/c.yaml
scenario other/d.e.yaml
scenario f.yaml
mkdir -p snapshots/mine scenarios/old/snapshots
: > snapshots/mine/a.txt
: > snapshots/b.txt
: > scenarios/old/snapshots/c.txt
: > other/d.e.golden.txt
: > f.golden.txt
urtext check scenarios/mine/a.yaml scenarios/b.yml scenarios/old/scenarios/c.yaml other/d.e.yaml f.yaml

# The name that a scenario gives is a path in the same folder.
echo 'golden: x/seed.txt' | tee -a scenarios/mine/a.yaml >> f.yaml
urtext check scenarios/mine/a.yaml f.yaml
