# The target and its children are pinned to the scenario's CPUs.

mk_scenario a <<'YAML'
target: { command: "grep Cpus_allowed_list /proc/self/status >>allowed" }
warmup: { runs: 0 }
measure: { runs: 2, cpus: "0" }
gates: { page-faults: +50% }
YAML
expect 0 run
cat allowed
holds '.scenarios[0].settings.cpus == "0"'
