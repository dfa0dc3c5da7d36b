for suite in royalur royalur/referee royalur/bot onitama; do urtext check --suite $suite | sed 's/[0-9][0-9]*/…/g'; done

urtext check --suite royalur/refree
