# A service that keeps memory per request grows within a window; one that frees it does not. Tested in pairs, where
# the cause is the function that touches the memory, against a baseline, and against a limit.

c_server leak 400 <<'YAML'
measure: { runs: 5 }
gates: { rss-growth: default }
YAML
sed -i "s|$PWD/client|client|" scenarios/leak.yaml
echo 'build: cc -O1 -g -fno-omit-frame-pointer -o server server.c' >pawl.yaml
mk_repo server
sed -i 's/define KEEP 0/define KEEP 4000/' server.c
commit_all 'keeps half of it'

# Growth of 4,000 bytes per request, in pages.
expect 1 run leak --base HEAD~1 --runs 12
holds '.scenarios[0].gates[0] | .metric == "rss-growth" and .per_work and .verdict == "regression"'
holds '.scenarios[0].gates[0] | .baseline < 1000 and .current > 3500 and .current < 6000'
has "$out" 'REGRESSION leak rss-growth'
if ! result '.scenarios[0].evidence[]' | grep '^head: page faults could not be recorded' >/dev/null; then
  holds '.scenarios[0].causes[0] | .kind == "allocation" and .function == "remember" and .unit == "B" and .amount > 2500'
  has "$out" 'remember (server.c:'
fi
expect 0 run leak --base HEAD --runs 12
holds '.scenarios[0].gates[0].verdict == "pass"'

# Against a baseline, and against a limit per request.
build_server server -DKEEP=0
expect 0 baseline update leak --reason first
expect 0 run leak --no-confirm
holds '.scenarios[0].gates[0] | .verdict == "pass"'
build_server server -DKEEP=4000
expect 1 run leak --no-confirm
holds '.scenarios[0].gates[0] | .verdict == "regression" and .baseline < 1000 and .current > 3500'
sed -i 's/rss-growth: default/rss-growth: { max: 1KiB }/' scenarios/leak.yaml
expect 1 run leak
build_server server -DKEEP=0
expect 0 run leak

# A command has no window.
mk_scenario command 'target: { command: "true" }' 'gates: { rss-growth: default }'
expect 2 check command
has "$err" 'rss-growth is for attached targets; use max-rss for a command'
