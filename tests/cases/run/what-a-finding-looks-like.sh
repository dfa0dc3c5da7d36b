# Without what differs from run to run, or from one platform to another.
shown() { sed -E '/ has read all that was sent/d; s/ +[0-9.]+ s/ [time] s/g' "$1"; }
urtext run --suite royalur/referee/extra-turn-cell-8 $referee --fault no-extra-turn-8 > said 2> /dev/null; shown said

shown() { sed -E '/ has read all that was sent/d; s/ +[0-9.]+ s/ [time] s/g' "$1"; }
urtext run --suite royalur/bot/no-move-onto-an-own-token $bot --fault moves-onto-own-token > said 2> /dev/null; shown said

# A run in which only slow scenarios fail has its report.
{ echo 'slow: true'; cat $scenarios/royalur/referee/own-token.yaml; } > slow.yaml
only '^1 scenario: .*' urtext run slow.yaml $referee --fault stacking
