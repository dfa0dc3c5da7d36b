echo '# urtext golden transcript 1' > no-dialect.txt
urtext check no-dialect.txt

printf '# urtext golden transcript 1\ndialect: code-colosseum\n' > no-lane.txt
urtext check no-lane.txt

printf '# urtext golden transcript 1\n[first]\n' > no-dialect-above-a-lane.txt
urtext check no-dialect-above-a-lane.txt
