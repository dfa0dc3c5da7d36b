urtext help scenario

urtext help urtext.yml

urtext help explor

urtext help gide

urtext help something-else

urtext help guide more
