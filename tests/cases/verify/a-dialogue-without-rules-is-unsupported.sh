printf '# urtext golden transcript 1\ndialect: lines\n[first]\nhello\n>x\n' > golden.txt
urtext verify golden.txt
