echo 'urtext run --no-diagnosis "$@" > out; echo "status $?"; grep "not played\|scenarios\?: \|more scenario\|games failed" out' > run
for name in capture-cell-5 capture-cell-12 own-token; do echo --suite royalur/referee/$name; done > suites
sh run $(cat suites) --subject built-in --fault second-starts

sh run $(cat suites) --subject built-in --fault second-starts --fail-fast

sh run $(cat suites) --subject built-in --fault second-starts --for 0s

sh run $(cat suites) --for 0s --allow skipped

urtext run --for soon

# Games that began in time are played to their end.
sh run $(cat suites) --for 1ns

sh run --suite royalur/referee/own-token --repeat 1000 --for 1ns

sh run --suite royalur/referee/own-token --retries 1000 --for 1ns --subject built-in --fault stacking

# A quiet run speaks only of what did not pass.
urtext run -q --suite royalur/referee/own-token

urtext run -q --suite royalur/referee/own-token --no-diagnosis --subject built-in --fault stacking | sed -n '1,2p;$p'

urtext run -q -v
