# A service can be ready before its process can be found: an empty pidfile, a port opened later, a command line
# set by exec. pawl looks until ready.timeout, in runs and in pairs, and then fails with the reason.

mk_server
writes='echo $$$$ >${tmp}/pid;'
mk_late() { # TARGET [TIMEOUT]
  mk_scenario late <<YAML
env:
  - name: web
    # The file is made at once; half a second later there is its number, the server with its words, and its port.
    command: ": >\${tmp}/pid; sleep 0.5; $writes exec python3 '$PWD/server.py' \${port} --say late-words"
    ready: { file: "\${tmp}/pid", timeout: ${2:-20s} }
    stop: { grace: 1s }
target: { $1 }
warmup: { runs: 0 }
load: { command: "sleep 1; exec python3 '$PWD/client.py' \${port} 40", work: { regex: 'did ([0-9]+)', as: count } }
measure: { runs: 1 }
YAML
}
mk_late 'pidfile: "${tmp}/pid"'
expect 0 run
holds '.scenarios[0].runs[0] | .work == 40 and ."task-clock" > 30'
expect 0 run late --base . --head . --runs 2
holds '.scenarios[0].pairs | length == 2'
mk_late 'port: "${port}"'
expect 0 run
holds '.scenarios[0].runs[0].work == 40'
mk_late "process: 'server.py [0-9]+ --say late-words\$'"
expect 0 run
holds '.scenarios[0].runs[0].work == 40'

# The process number never comes.
writes=
mk_late 'pidfile: "${tmp}/pid"' 2s
expect 3 run
holds '.scenarios[0].failure | test("target.pidfile: .* is empty: the service has not written its number yet")'
# The service ends meanwhile.
sed -i 's/exec python3/exit 7; &/' scenarios/late.yaml
expect 3 run
has "$out" 'service web: exited with status 7'
