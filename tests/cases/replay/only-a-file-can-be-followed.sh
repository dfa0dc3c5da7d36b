urtext replay --follow -

urtext replay --follow coco://127.0.0.1:1/game

echo '{"a": 1}' > game.txt
urtext replay --follow game.txt

# A whole game ends at once.
urtext replay --follow --moves hc-ur/captured.json | tail -n 1
