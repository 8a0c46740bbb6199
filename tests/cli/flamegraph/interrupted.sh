# An interrupt ends a hanging perf together with pawl, and no file is written.

printf '#!/bin/sh\ncase $1 in --version) echo perf version 6.1 ;; *) exec sleep 30077 ;; esac\n' >perf
chmod +x perf
export PAWL_PERF=$PWD/perf
printf 'PERFILE2 of nothing' >recording
interrupted INT 30077 flamegraph -o made.svg recording
interrupted TERM 30077 flamegraph --diff recording -o made.svg recording
[[ ! -e made.svg ]] || fail 'a picture was written'
