urtext replay seed/first.txt --to hc-ur --at 3

urtext replay seed/first.txt --to state --at 165

urtext replay missing.json --to state

urtext replay seed/first.txt --to morse

urtext verify seed/first.txt --state hc-ur/seed-state.txt

urtext verify seed/first.txt hc-ur/captured.json --together

urtext replay onitama-judge/top.txt onitama-judge/bottom.txt --to hc-ur
