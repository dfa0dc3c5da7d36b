for file in onitama-judge/top.txt code-colosseum/spectator.received hc-ur/captured.json royalur-net/captured.json; do
  for format in hc-ur state golden spectator; do
    urtext replay $file --to $format >/dev/null 2>error
    echo "$file to $format: status $?"
    grep '^error' error
  done
done

urtext replay onitama-judge/top.txt --to hc-ur

urtext replay onitama-judge/top.txt --to state
