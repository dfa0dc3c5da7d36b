mkdir -p games/a empty
printf 'A\nB\n0 0 0 1\n0\n' | tee games/b.txt > games/a/one.txt
printf 'A\nB\n0\n0 0 0 1\n0 0 0 1\n' > games/a/pair.received
echo 0 > games/a/pair.sent
echo 'Dear reader,' > games/.hidden
urtext verify games --jobs 1

urtext verify games --jobs 2

urtext verify empty
