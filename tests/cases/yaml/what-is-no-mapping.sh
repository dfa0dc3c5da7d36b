for text in '' '\357\273\277 \n' '# only this\n' '---\n' '---\n...\n' '- a\n' 'a\n' '~\n' '""' '|\n  x\n' 'a: 1\n---\nb: 2\n' '---\n---\nb: 2\n'; do
  printf -- "$text" > s.yaml
  urtext check s.yaml 2>&1
done

# Control characters.
for text in 'a: x\000y' '\357\273\277a: \033' 'a: \302\233' 'a\357\273\277: 1'; do
  printf "$text" > s.yaml
  urtext check s.yaml 2>&1
done
