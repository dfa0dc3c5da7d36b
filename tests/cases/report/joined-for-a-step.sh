# Annotations made later have their summary, too; and a report is no game.
urtext run --suite royalur/referee/own-token --fault stacking --report json=run.json > said 2>&1; echo "status $?"
GITHUB_STEP_SUMMARY=summary.md urtext report github run.json | grep -c '^::error'; head -n 1 summary.md

urtext verify run.json

urtext replay run.json --print
