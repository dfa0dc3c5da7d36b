echo 'a file' > pages
urtext man pages
