urtext replay --print seed/second.txt
