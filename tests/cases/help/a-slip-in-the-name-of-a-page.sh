urtext help gide

urtext help guide more

urtext help urtext-yaml > page
urtext help urtext.yaml | cmp - page
urtext help Changelog | head -n 1
