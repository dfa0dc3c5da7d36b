printf 'A\nB\n2\n0 0 1 1\n' > 1.txt
printf 'A\nB\n0011\n3\n1111\n0\n' > 2.txt
printf 'A\nB\n0\n2\n' > 3.txt
printf 'You are Left\nCards: Cobra,Eel,Crab,Rabbit,Tiger\n' > 4.txt
printf 'Cards: Cobra,Eel,Crab,Rabbit,Tiger\nTop starts\n' > 5.txt
urtext verify 1.txt 2.txt 3.txt 4.txt 5.txt
