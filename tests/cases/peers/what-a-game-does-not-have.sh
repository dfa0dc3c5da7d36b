for option in --spectators --name --pace --rolls; do
  urtext referee onitama $option 1
done

urtext referee onitama --setup Ox

urtext bot royalur 127.0.0.1 1

urtext referee onitama --listen-spectators :1
