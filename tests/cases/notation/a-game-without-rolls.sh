urtext verify hc-ur/captured.json

urtext replay hc-ur/captured.json --to spectator

urtext replay hc-ur/captured.json --at 2

urtext replay hc-ur/captured.json --at 100

urtext replay seed/spectator.txt --to hc-ur -o game.json

urtext replay game.json --at 6
