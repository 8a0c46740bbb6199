#!/bin/bash
# What pawl itself costs, apart from perf and the target, each number with its limit beside it.
# Status 1 when a limit is exceeded.
#
# CPU time a run: the scenario's setup and cleanup are started by pawl's keeper, so there they read
# the nanoseconds that the kernel has charged to both processes (/proc/PID/schedstat); the
# difference is divided by the runs between them. What a child uses between fork and exec is
# charged to the child.
#
# Peak memory: VmHWM of pawl and of the keeper in the same cleanup, and the peak of rendering the
# result afterwards. Parsing: pawl measures `pawl check` over 200 scenarios.
#
# PAWL is the binary (build/pawl), BENCH_RUNS the runs counted (100).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
runs=${BENCH_RUNS:-100}
[[ -x $PAWL ]] || { echo "bench: there is no $PAWL: build it with 'make'" >&2; exit 2; }
unset "${!GITHUB_@}" "${!PAWL_@}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
touch pawl.yaml
mkdir scenarios

# The parent of a command of the scenario is the keeper, and its parent is pawl.
cat >read.sh <<'SH'
keeper=$PPID
pawl=$(sed -n 's/^PPid:\t//p' "/proc/$keeper/status")
for pid in "$pawl" "$keeper"; do
  cpu=$(cut -d' ' -f1 "/proc/$pid/schedstat")
  peak=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$pid/status")
  echo "$cpu $peak"
done >"$1"
SH

cat >scenarios/runs.yaml <<YAML
version: 1
setup: [sh, read.sh, before]
target: { command: "true" }
warmup: { runs: 0 }
measure: { runs: $runs, budget: 10m }
cleanup: [sh, read.sh, after]
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
cat >scenarios/check.yaml <<YAML
version: 1
target: { command: ["$PAWL", check, -q], cwd: suite }
measure: { runs: 15 }
gates: { wall-time: { max: 60s } }
YAML
cat >scenarios/report.yaml <<YAML
version: 1
target: { command: ["$PAWL", report, "$work/out-runs", --format, markdown] }
measure: { runs: 5 }
gates: { wall-time: { max: 60s } }
YAML

"$PAWL" run -q runs --out out-runs >out-runs.txt || { cat out-runs.txt; exit 3; }
"$PAWL" run -q check report --out out-self >out-self.txt || { cat out-self.txt; exit 3; }

# median SCENARIO METRIC
median() {
  jq --arg s "$1" --arg m "$2" '[.scenarios[] | select(.name == $s).runs[][$m]] | sort | .[length / 2 | floor]' \
    out-self/result.json
}

status=0
# row WORDS VALUE UNIT LIMIT
row() {
  local verdict=ok
  [[ $2 =~ ^[0-9]+(\.[0-9]+)?(e-[0-9]+)?$ ]] || { echo "bench: $1 was not measured" >&2; exit 3; }
  if awk "BEGIN { exit !($2 > $4) }"; then verdict=OVER status=1; fi
  printf '%-44s %10.3f %-4s limit %g %s  %s\n' "$1" "$2" "$3" "$4" "$3" "$verdict"
}

cpu_ms() { # LINE: 1 is pawl, 2 the keeper
  paste before after | awk -v line="$1" -v runs="$runs" 'NR == line { print ($3 - $1) / 1e6 / runs }'
}

peak_mib() {
  awk -v report="$(median report max-rss)" '{ if ($2 / 1024 > max) max = $2 / 1024 }
    END { r = report / 1048576; print (r > max ? r : max) }' after
}

echo "pawl itself, over $runs runs of true ($("$PAWL" --version), $(nproc) CPUs):"
pawl=$(cpu_ms 1) keeper=$(cpu_ms 2)
row 'CPU time a run, pawl and keeper' "$(awk "BEGIN { print $pawl + $keeper }")" ms 5
printf '  %-42s %10.3f ms\n' 'of that pawl' "$pawl" 'of that the keeper' "$keeper"
row 'peak memory of pawl' "$(peak_mib)" MiB 32
row 'checking 200 scenarios, median of 15' "$(awk "BEGIN { print $(median check wall-time) / 1000 }")" s 0.2
exit $status
