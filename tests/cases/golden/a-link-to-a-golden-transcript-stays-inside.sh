mkdir -p elsewhere project/scenarios project/snapshots
: > elsewhere/x.txt
cd project
for name in x y z; do
  printf 'scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nturns:\n  - first: 0 0 1 1 > 3\n' > scenarios/$name.yaml
done
ln -s ../../elsewhere/x.txt snapshots/x.txt
ln -s ../nowhere snapshots/y.txt
printf '# urtext golden transcript 1\ndialect: code-colosseum\n[first]\nA\nB\n0\n0 0 1 1\n>3\n0 0 0 1\n[second]\nA\nB\n1\n0 0 1 1\n3\n0 0 0 1\n[spectator 1]\nA\nB\n0 0 1 1\n3\n0 0 0 1\n' > real.txt
ln -s ../real.txt snapshots/z.txt
for name in x y z; do urtext check scenarios/$name.yaml; done
