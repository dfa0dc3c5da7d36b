# A match that is stored on an independent server ($PYTHON) is verified, replayed and converted.
coco --cut 5; urtext run --subject $url $coco_games 1 > /dev/null; echo "played: status $?"; urtext record --spectate $url; echo "status $?"
only 'has won' urtext verify --complete ${url}match1; echo "status $?"
only '^PlayerA .* has won.*' urtext replay --print ${url}match1; echo "status $?"
only '^PlayerA$' urtext replay --to spectator ${url}match1; echo "status $?"
only '^1 scenario: .*' urtext run ${url}match1 --budget answer=60s

# A history that lacks its last lines is legal as far as it goes, and not complete.
coco --history-lacks 3; only 'observed: the stored match.*' urtext run --subject $url $coco_games 1; echo "played: status $?"
only "incomplete: stops " urtext verify ${url}match1; echo "status $?"
only "incomplete: stops " urtext replay --print ${url}match1; echo "status $?"
only '^fail: .*' urtext verify --complete ${url}match1; echo "status $?"

# A stored match that differs from what its spectator received is a failure.
coco --misbehave stores-another-match; only '^fail: .*|^   = lane the stored.*' urtext run --subject $url $coco_games 1; echo "status $?"

# All matches that a server has stored are verified, with their players.
coco; urtext run --subject $url $coco_games 3 > /dev/null; echo "played: status $?"
only '^3 games.*|has won' urtext verify $url --rows rows.csv; echo "status $?"
grep -c match rows.csv; cut -d, -f2-3 rows.csv | sort -u

# Addresses without a stored match are told apart.
coco; for command in verify replay 'replay --to spectator' run; do
  for address in ${url}nothing $url coco://; do
    only 'refused the request for a stored match|has stored no match|lists its matches|lists the matches that are there|this is the address of a server, not of a match|there is no server in this address' \
      urtext $command $address
    echo "$command: status $?"
  done
done

# Histories that cannot be read break the run.
history() { coco --misbehave $1; urtext run --subject $url $coco_games 1 > /dev/null; echo "played: status $?"; only "$2" urtext verify ${url}match1; echo "status $?"; }
history cut-history 'bytes that are no stored match: it is cut off'
history text-for-history 'answered the request for a stored match with `PlayerA\\nPlayerB\\n`'

# A stored match goes together with other lanes of its game.
coco; urtext run --subject $url $coco_games 1 --record games > /dev/null; echo "played: status $?"
urtext replay --to spectator $(find games -type f) --output lane.txt 2> /dev/null > /dev/null; echo "status $?"
only '^pass' urtext verify --together lane.txt ${url}match1
