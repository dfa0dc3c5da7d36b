# Five games are enough for the plain game before them, and so for the limits.
five='--only roll-0 --only overshoot --only own-token --only exit-exact --only pace --no-diagnosis --seed 1'
coco; only '^  .*  limits  .*|^fail.*' urtext doctor --subject $url
only 'passed' urtext run --subject $url $five --report json=all.json; grep -o '"name":"[^"]*/server/[^"]*"' all.json

coco --misbehave creates-anything; only '^fail.*|^--> royalur.*| = spec.*|4 failed' urtext run --subject $url $five; echo "status $?"
only '^  .*  limits  .*|^fail.*' urtext doctor --subject $url; echo "status $?"

coco --misbehave refuses-a-long-pace; only '^fail.*|refused the .*' urtext run --subject $url $five; echo "status $?"
