#!/bin/bash
# Measures pawl's own cost, without perf and the target. Prints each number with its limit.
# Status 1 if a limit is exceeded.
#
# CPU time per run: pawl's keeper starts the scenario's setup and cleanup. Both read the nanoseconds
# that the kernel has charged to pawl and the keeper (/proc/PID/schedstat). The difference is divided
# by the runs in between. A child's time between fork and exec is charged to the child.
#
# Peak memory: VmHWM of pawl and of the keeper in the same cleanup, and the peak of rendering the
# result afterwards. Parsing: pawl measures `pawl check` over 200 scenarios.
#
# Services: see services.sh. Profiles: see profiles.sh. Reports: see suites.sh.
#
# PAWL is the binary (build/pawl), BENCH_RUNS the number of runs (100), BENCH_ROUNDS the rounds of
# services (5).
set -eu

runs=${BENCH_RUNS:-100}
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

scenario runs <<YAML
setup: sh sample.sh \$PPID runs
target: { command: "true" }
warmup: { runs: 0 }
measure: { runs: $runs, budget: 10m }
cleanup: sh sample.sh \$PPID runs
gates: { task-clock: default, page-faults: default }
YAML

mkdir -p suite/scenarios
touch suite/pawl.yaml
for i in $(seq -w 1 200); do
  cat >"suite/scenarios/generated-$i.yaml" <<YAML
version: 1
name: generated-$i
description: scenario number $i of a large suite
tags: [generated, "group-$((10#$i % 7))"]
requires: [sh, awk]
vars: { input: "\${tmp}/input-$i", rounds: "$i" }
setup: |
  set -e
  seq 1 \${rounds} >"\${input}"
prepare: sync
target:
  command: [awk, '{ s += \$\$1 } END { print s }', "\${input}"]
  environment: { LC_ALL: C, ROUND: "\${rounds}" }
  cwd: .
warmup: { runs: 2 }
measure:
  runs: 15
  budget: 90s
  counters: auto
  events: [cache-references, cache-misses]
  timeout: 60s
gates:
  task-clock: +5%
  instructions: +1%
  page-faults: { max-increase: 2%, max: 100000 }
  max-rss: { max: 512MiB }
  cache-misses: +20%
YAML
done
scenario check <<YAML
target: { command: ["$PAWL", check, -q], cwd: suite }
measure: { runs: 15 }
gates: { wall-time: { max: 60s } }
YAML
scenario report <<YAML
target: { command: ["$PAWL", report, "$work/out-runs", --format, markdown] }
measure: { runs: 5 }
gates: { wall-time: { max: 60s } }
YAML

measured runs runs
measured self check report

# values SCENARIO METRIC
values() {
  jq --arg s "$1" --arg m "$2" '.scenarios[] | select(.name == $s).runs[][$m]' out-self/result.json
}

cpu_ms() { # COLUMN of the samples: 2 is pawl, 3 the keeper
  awk -v column="$1" -v runs="$runs" 'NR > 1 { print ($column - before) / 1e6 / runs } { before = $column }' runs
}

peak_mib() {
  { awk 'END { print $4 / 1024; print $5 / 1024 }' runs; values report max-rss | awk '{ print $1 / 1048576 }'; } | sort -g | tail -n 1
}

echo "pawl itself, over $runs runs of true ($("$PAWL" --version | head -n 1), $(nproc) CPUs):"
pawl=$(cpu_ms 2) keeper=$(cpu_ms 3)
row 'CPU time a run, pawl and keeper' ms 5 "$(awk "BEGIN { print $pawl + $keeper }")"
row '  of that pawl' ms none "$pawl"
row '  of that the keeper' ms none "$keeper"
row 'peak memory of pawl' MiB 32 "$(peak_mib)"
# shellcheck disable=SC2046
row 'checking 200 scenarios' s 0.2 $(values check wall-time | awk '{ print $1 / 1000 }' | middle)

# The same call of both, in turn, for commands of about 50 ms and for commands that wait.
seconds_of() { # COMMAND...
  local began=$EPOCHREALTIME
  "$@" >/dev/null 2>&1
  awk "BEGIN { print $EPOCHREALTIME - $began }"
}
seq 40000 >numbers
for pair in 'awk "{ s += \$1 * \$1 } END { print s }" numbers' 'sleep 0.05'; do
  ours=() theirs=()
  for _ in 1 2 3; do
    ours+=("$(seconds_of "$PAWL" ab "$pair" "$pair")")
    theirs+=("$(seconds_of hyperfine "$pair" "$pair")")
  done
  # shellcheck disable=SC2046
  row "pawl ab of two ${pair%% *}" s none $(printf '%s\n' "${ours[@]}" | middle)
  # shellcheck disable=SC2046
  row "  hyperfine, the same" s none $(printf '%s\n' "${theirs[@]}" | middle)
done

# shellcheck source=services.sh
. "$here/services.sh"
# shellcheck source=profiles.sh
. "$here/profiles.sh"
# shellcheck source=suites.sh
. "$here/suites.sh"
exit "$status"
