# The cost of profiles; sourced by bench.sh, after lib.sh. Medians, with the smallest and the largest in brackets.
#
# `pawl flamegraph` turns each recording of tests/fixtures/perf-script into folded stacks, and the largest into a
# picture. pawl measures it (cpu-time: user and system). `wc -l` of the same file, run in the same minute, gives the
# cost of reading the file and finding its lines on this machine.
# shellcheck shell=bash

command -v xz >/dev/null || { echo 'bench: the recordings need xz' >&2; exit 3; }
fold_runs=${BENCH_FOLD_RUNS:-9}

# costs NAME COMMAND: adds a scenario that runs COMMAND.
costs() {
  scenario "$1" <<YAML
target: { command: "$2" }
warmup: { runs: 1 }
measure: { runs: $fold_runs, budget: 5m }
YAML
}

recordings=()
for file in "${root:?}"/tests/fixtures/perf-script/*.txt.xz; do
  name=$(basename "$file" .txt.xz)
  recordings+=("$name")
  xz -dc "$file" >"$name.txt"
  costs "fold-$name" "exec '$PAWL' flamegraph --format folded -o $name.folded $name.txt"
done
largest=$(find . -maxdepth 1 -name '*.txt' -size +8M -printf '%s %f\n' | sort -n | tail -n 1 | sed 's/.* //; s/\.txt$//')
costs lines "exec wc -l $largest.txt"
"$PAWL" flamegraph --format folded -o "$largest.folded" "$largest.txt"
costs draw "exec '$PAWL' flamegraph -o $largest.svg $largest.folded"

measured profiles --no-profile "${recordings[@]/#/fold-}" lines draw

# cost SCENARIO METRIC: the metric's value in each run.
cost() { jq --arg s "$1" --arg m "$2" '.scenarios[] | select(.name == $s).runs[][$m]' out-profiles/result.json; }
bytes() { stat -c %s "$1"; }
# ms_per_100mb NAME
ms_per_100mb() { cost "fold-$1" cpu-time | awk -v bytes="$(bytes "$1.txt")" '{ print $1 * 1e8 / bytes }'; }

echo
echo "profiles, $fold_runs times each (400 MB/s is 250 ms for 100 MB):"
for name in "${recordings[@]}"; do
  # Below 8 MB the program's start dominates.
  limit=none
  [[ $(bytes "$name.txt") -lt 8000000 ]] || limit=250
  # shellcheck disable=SC2046
  row "CPU time for 100 MB of $name" ms "$limit" $(ms_per_100mb "$name" | middle)
done
fold=$(cost "fold-$largest" cpu-time | middle | cut -d' ' -f1)
lines=$(cost lines cpu-time | middle | cut -d' ' -f1)
row "  $largest to folded: a second of CPU time" MB/s none \
  "$(awk "BEGIN { printf \"%.0f\", $(bytes "$largest.txt") / 1e3 / $fold }")"
row '  as a multiple of wc -l' '' none "$(awk "BEGIN { print $fold / $lines }")"
# shellcheck disable=SC2046
row '  peak memory' MiB 64 $(cost "fold-$largest" max-rss | awk '{ print $1 / 1048576 }' | middle)
# shellcheck disable=SC2046
row '  folded to a flame graph' ms 50 $(cost draw wall-time | middle)
