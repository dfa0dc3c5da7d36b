mkdir -p scenarios/x snapshots/x
printf 'scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nturns:\n  - first: 0 0 1 1 > 3\n  - second: 0 0 0 0\n' > scenarios/x/a.yaml
{
  printf '# urtext golden transcript 1\ndialect: code-colosseum\n'
  printf '[first]\nA\nB\n0\n0 0 1 1\n>3\n0 0 0 0\n0 0 0 1\n'
  printf '[second]\nA\nB\n1\n0 0 1 1\n3\n0 0 0 0\n0 0 0 1\n'
  printf '[spectator 1]\nA\nB\n0 0 1 1\n3\n0 0 0 0\n0 0 0 1\n'
} > golden.txt
cp golden.txt snapshots/x/a.txt
urtext check scenarios

# Each file counts once.
urtext check scenarios snapshots snapshots/x/a.txt scenarios/x/../x/a.yaml

sed 's/first/frist/' golden.txt > snapshots/x/a.txt
urtext check scenarios

# Of another game, by its rolls and lanes.
sed '7s/0 0 1 1/0 1 1 1/; s/spectator 1/spectator 2/' golden.txt > snapshots/x/a.txt
urtext check scenarios

# A lane is missing, one goes on after the scenario, and one lacks a line.
sed '/second/,/^0 0 0 1/d; 10s/$/\n0 0 0 1/; $d' golden.txt > snapshots/x/a.txt
urtext check scenarios

# A run refuses it as well, and plays nothing.
urtext run --record rec scenarios
test -e rec || echo "nothing was recorded"

# The scenario names another file.
rm snapshots/x/a.txt
sed -i '4s/$/\ngolden: other.txt/' scenarios/x/a.yaml
urtext check scenarios

cp golden.txt snapshots/x/other.txt
urtext check scenarios

# It is empty.
: > snapshots/x/other.txt
urtext check scenarios

# A link leads out of the folder.
mkdir elsewhere
echo secret > elsewhere/other.txt
mkdir project
mv scenarios snapshots project
cd project
rm -r snapshots/x
ln -s ../../elsewhere snapshots/x
urtext check scenarios
