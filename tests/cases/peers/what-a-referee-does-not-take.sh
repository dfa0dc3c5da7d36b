urtext referee royalur --pace 30.1 --seed 1

urtext referee royalur --pace=-0.1 --seed 1

urtext referee royalur --pace nan

urtext referee royalur --timeout 0

urtext referee royalur --timeout=-1

urtext referee royalur --name A

urtext referee royalur --name 'A
' --name B

urtext referee royalur --setup Cobra

urtext referee royalur --bot x

urtext referee royalur --bot "'x" --bot x

urtext referee royalur --bot '' --bot x

urtext referee royalur --bot x --bot x --listen :0

urtext referee royalur --bot /no/such/bot --bot /no/such/bot --seed 1

urtext referee royalur --fault no-timeuot

urtext referee royalur --rolls '0011 0112 1111'

urtext referee royalr
