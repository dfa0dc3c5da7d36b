# A report that breaks off is shown and never green.
urtext run --suite royalur/referee/own-token --suite royalur/referee/capture-cell-5 --report json=run.json > /dev/null; head -n 2 run.json > cut.json
urtext report text cut.json

# Nor is one of several shards.
urtext run --suite royalur/referee/own-token --suite royalur/referee/capture-cell-5 --shard 1/2 --report json=1.json > /dev/null
urtext report text 1.json

# No scenario counts twice.
urtext report text run.json run.json
