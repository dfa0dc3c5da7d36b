cat > game.json <<END
[
  {"author": "A", "move_type": {"CreateToken": {"distance": 2}}},
  {"author": "B", "move_type": {"CreateToken": {"distance": 1}}},
  {"author": "A", "move_type": {"CreateToken": {"distance": 2}}},
  {"author": "B", "move_type": {"CreateToken": {"distance": 9}}}
]
END
urtext verify game.json

urtext replay game.json --to state --at 2

urtext replay game.json --to hc-ur
