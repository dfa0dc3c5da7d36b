printf 'A\nB\n1\n0 0 0 1\n\033[2J\n' | urtext bot royalur

# A roll where a move is due, rolls and seats in another form.
for lines in '0 0 0 1\n0 0 0 1' '0 1 0 0 ' '3'; do
  printf "A\nB\n1\n$lines\n" | urtext bot royalur
done
printf 'A\nB\n0\r\n' | urtext bot royalur
