# Without what differs from run to run, or from one platform to another.
shown() { sed -E 's/ +[0-9.]+ s/ [time] s/g' "$1"; }
urtext run --suite royalur/referee/extra-turn-cell-8 $referee --fault no-extra-turn-8 > said 2> /dev/null; shown said

shown() { sed -E 's/ +[0-9.]+ s/ [time] s/g' "$1"; }
urtext run --suite royalur/bot/no-move-onto-an-own-token $bot --fault moves-onto-own-token > said 2> /dev/null; shown said

# A run in which only slow scenarios fail has its report, and says nothing else on standard error than the first failure, the lines of `-v`, a
# note on a command without `{port}`, and what a run says on a slow machine: how far it is, and what it waits for to be sure.
{ echo 'slow: true'; cat $scenarios/royalur/referee/own-token.yaml; } > slow.yaml
urtext run slow.yaml $referee --fault stacking > said 2> else; echo "status $?"; grep '^1 scenario: ' said
grep -vE '^(urtext: .* games played after |suspected: |withdrawn: |note\[run/command\]| = help: add it| *\|? *$|fail: |\[)' else
