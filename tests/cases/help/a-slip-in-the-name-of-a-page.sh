for asked in scenario urtext.yml explor gide something-else; do
  urtext help $asked
done

urtext help urtext-yaml > page
urtext help urtext.yaml | cmp - page
