cp code-colosseum/spectator.received a.txt
cp a.txt same.txt
urtext replay a.txt --against same.txt

# The same game in other formats.
urtext replay a.txt --to hc-ur -o converted
urtext replay a.txt --against converted
urtext replay a.txt --against royalur-net/captured.json

{ head -n 6 a.txt; echo 5; } > other.txt
urtext replay a.txt --against other.txt

head -n 5 a.txt > short.txt
urtext replay short.txt --against a.txt

sed 1s/Alice/Al/ a.txt > named.txt
urtext replay a.txt --against named.txt

urtext replay a.txt --against onitama-judge/top.txt

# A file that cannot be read is no difference.
urtext replay a.txt --against none.txt

urtext replay a.txt --against other.txt --game-number 2

echo '<html>' > no.txt
urtext replay no.txt --against none.txt
