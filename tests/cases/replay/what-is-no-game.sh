urtext replay missing.txt

urtext replay seed/first.txt --dialect chess960

# The game of the second player has turns 0 to 9.
urtext replay seed/first.txt --json --at 10

# A dialogue has no turns, and no page is written.
printf '# urtext golden transcript 1\ndialect: lines\n[first]\nhello\n>x\n' > golden.txt
urtext replay golden.txt --json

urtext replay golden.txt --html page.html 2> /dev/null; test -e page.html
