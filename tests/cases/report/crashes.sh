# A crash is one finding, whatever else it looks like and whatever requirement its scenario is about: its last words are the same.
urtext run --jobs 1 --suite royalur/bot $patient --as bot -- $PYTHON -S $PEERS/faulty/faulty_ur_bot.py --fault token-6-ignored --policy random --seed 1 \
  2> /dev/null > said; echo "status $?, $(grep -c '^fail' said) finding"; sed -n '/^fail/,/specification/p' said; grep 'more failures\|scenarios:' said
