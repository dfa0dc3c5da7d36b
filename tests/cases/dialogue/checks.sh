cat > requirements.yaml <<'END'
protocol: lines
seeds: {"1": "the page of the echo"}
requirements:
  - {id: echo/line, level: must, says: "The echo sends each line back.", seed: "1", summary: "each line comes back"}
  - {id: echo/end, level: should, inference: "nothing is left to send", summary: "it ends after its input"}
  - {id: echo/case, level: unspecified, open: "capitals", summary: "capitals may stay or not"}
END

echo '{ printf "scenario: %s\ngame: lines\nsubject: bot\nchecks: [%s]\nsteps:\n" "$1" "$2"; printf "  - bot %s\n" "gets: hello" "sends: $3"; } > $1.yaml' > write; sh write echo 'echo/line, echo/end' hello; sh write other 'echo/line, echo/end' bye

urtext check echo.yaml other.yaml && urtext run --as bot --game lines --no-diagnosis echo.yaml other.yaml -- cat

urtext run --as bot --game lines --report junit=junit.xml --report json=run.json --report html=page.html other.yaml -- cat > /dev/null

grep -o 'echo/[a-z]*\|The echo sends each line back.' junit.xml | sort | uniq -c

grep -o '"requirement": *"[^"]*"\|"level": *"[^"]*"\|"specification": *"[^"]*"' run.json | sort | uniq -c

grep -ho 'each line comes back\|it ends after its input\|capitals may stay or not' page.html/*.html | sort -u

urtext run --only echo/end --list . --as bot --game lines -- cat

urtext requirements --scenarios .

urtext requirements echo/line --scenarios echo.yaml

# The catalogue goes into a recording with the scenario.
urtext run --as bot --game lines --record record other.yaml -- cat > /dev/null; mkdir apart; mv record/*/*.jsonl apart/ 2> /dev/null || mv record/*.jsonl apart/; urtext check apart/*

sh write unknown 'echo/lin, echo/cas, redis/ping' hello; urtext check unknown.yaml

sh write none 'echo/case, echo/line, echo/line' hello; urtext check none.yaml

mkdir -p bare; cp echo.yaml bare; urtext check bare

echo 'protocol: lines
requirements:
  - {id: a, lvel: must, summary: b, foo: 1}
  - {id: b, level: mst, summary: c, exercised: luck, role: [nwline]}' > bare/requirements.yaml; urtext check bare

# What a stranger writes steers no terminal.
printf 'protocol: lines\nrequirements:\n  - {id: echo/line, level: must, summary: "a\\x1b[31mb", says: "c\\x1b]0;d"}\n  - {id: echo/end, level: must, summary: e}\n' > bare/requirements.yaml
sed 's/sends: hello/sends: bye/' echo.yaml > bare/echo.yaml; urtext run --as bot --game lines --no-diagnosis bare/echo.yaml -- cat; urtext requirements --scenarios bare; cp echo.yaml bare

printf 'protocol: lines\nrequirements: [{id: "a\\x1b[31m b", level: must, summary: e}]\n' > bare/requirements.yaml; urtext check bare

echo 'protocol: onitama
requirements: []' > bare/requirements.yaml; urtext check bare

echo 'protocol: lines
requirements:
  - {id: echo/line, level: must, summary: "b"}
  - {id: echo/line, level: must, summary: "c"}' > bare/requirements.yaml; urtext check bare

echo 'protocol: lines
requirements: [{id: ur/roll/line, level: must, summary: "b"}]' > bare/requirements.yaml; urtext check bare

echo 'protocol: lines
requirements: [{id: echo/line, level: must, summary: "another echo"}]' > bare/requirements.yaml; urtext check echo.yaml bare

# It stays in the folder of the scenario.
rm bare/requirements.yaml; ln -s ../requirements.yaml bare/requirements.yaml; urtext check bare
