mkdir scenarios
cp $cases/golden/_own-token.yaml scenarios/own-token.yaml
urtext run scenarios --bless --no-diagnosis && cat snapshots/own-token.txt && stat -c %a snapshots/own-token.txt

touch before && urtext run scenarios --bless --no-diagnosis && find . -newer before

urtext run scenarios --no-diagnosis && find . -name '*own-token*' | sort

sed -i /RETIRE/d snapshots/own-token.txt
urtext run scenarios --no-diagnosis

urtext run scenarios --bless | tail -2 && cp snapshots/own-token.txt old && grep -c RETIRE old

rm -r snapshots
CI=true urtext run scenarios --bless

urtext run scenarios --bless --no-diagnosis --subject built-in --fault stacking | tail -1 && test -e snapshots

# What the specification leaves open does not get into a golden transcript.
for fault in tells-retired-player crlf-lines resets; do
  rm -rf snapshots
  urtext run scenarios --bless --subject built-in --fault $fault | tail -1
  diff old snapshots/own-token.txt
done

# Nothing can be written where a folder is, which keeps no other from being written.
rm -r snapshots && cp scenarios/own-token.yaml scenarios/before.yaml && mkdir -p rec/before.jsonl/taken
urtext run scenarios --bless --record rec | grep 'cannot be written\|could not be played\|written' && ls snapshots && grep -c '"verdict":"pass"' rec/own-token.jsonl
