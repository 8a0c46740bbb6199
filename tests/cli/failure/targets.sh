# If a target fails, is killed by a signal or cannot be started, pawl exits with 3, quotes its last lines and keeps its log
# and its earlier runs. The other scenarios still run. A target may print any amount, and finds an empty standard input.

ulimit -c 0
mk_scenario status <<'YAML'
target: { command: "seq 1 100; echo the last words; echo and the error >&2; exit 7" }
measure: { runs: 3 }
YAML
mk_scenario later 'target: { command: "echo x >>n; test $$(wc -l <n) -lt 4 || exit 1" }' 'measure: { runs: 5 }'
mk_scenario segv 'target: { command: "echo before; kill -SEGV $$$$" }'
mk_scenario kill 'target: { command: [sh, -c, "kill -KILL $$$$"] }'
mk_scenario large <<'YAML'
target: { command: "seq 1 3000000; printf 'long '; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo the end >&2; exit 1" }
measure: { runs: 2 }
YAML
mk_scenario missing-a 'target: { command: [./not-here, x] }'
mk_scenario missing-b 'target: { command: [./plain] }'
mk_scenario missing-c 'target: { command: [.] }'
mk_scenario missing-d 'target: { command: no-such-program-here --fast }'
mk_scenario missing-e 'target: { command: "true", cwd: nowhere }'
mk_scenario missing-g 'target: { command: [./empty] }'
mk_scenario missing-h 'target: { command: [unformatted], environment: { PATH: "bin:/usr/bin:/bin" } }'
mk_scenario prints <<'YAML'
target: { command: "head -c 64000000 /dev/zero | tr '\\0' x; echo; echo the end" }
measure: { runs: 2 }
YAML
mk_scenario reads 'target: { command: "cat; exit 0" }' 'measure: { runs: 2, timeout: 5s }'
mkdir bin
touch plain empty
echo exit 0 >bin/unformatted
chmod +x empty bin/unformatted
echo 'for nobody' | expect 3 run
result '.scenarios[] | "\(.name): \(.failure)"'
result '.scenarios[] | select((.runs | length) > 0) | "\(.name): \(.state), \(.runs | length) runs"'
holds '.status == 3 and .partial == false'
has "$out" 'exited with status 7' 'the last words' 'and the error' before no-such-program-here 'the end'
has pawl-out/latest/report.md 'the last words'
[[ $(tail -n 2 pawl-out/latest/status/target.log) == $'the last words\nand the error' ]] || fail 'the log was not kept'

# Of megabytes the report and the result quote the last lines, and the log has the end.
lacks "$out" 2999900
[[ $(stat -c %s "$out") -lt 100000 ]] || fail 'the report quotes too much'
[[ $(stat -c %s pawl-out/latest/result.json) -lt 200000 ]] || fail 'the result quotes too much'
[[ $(stat -c %s pawl-out/latest/prints/target.log) -lt 2000000 ]] || fail 'everything was kept'
tail -n 1 pawl-out/latest/prints/target.log
head -n 1 pawl-out/latest/prints/target.log | sed -E 's/[0-9]+/N/; s/xx+/.../'
