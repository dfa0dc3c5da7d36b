{ printf 'A\nB\n'; head -c 3000000 /dev/zero | tr '\0' 0; } > line.txt
{ printf 'A\nB\n'; yes '0 0 0 0' | head -n 300000; } > game.txt
urtext verify line.txt game.txt
