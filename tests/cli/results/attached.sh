# Results of an attached service are judged and shown per unit of work in every format.

# windows FILE SECONDS REQUESTS TASK_CLOCK_MS: a result of six windows that differ a little.
windows() {
  jq -n --argjson s "$2" --argjson n "$3" --argjson clock "$4" '
    {schema: 1, mode: "stored", status: 0, partial: false, command: "pawl run", date: "2026-11-21T10:05:54Z",
     pawl: "0.1.0",
     machine: {arch: "x86_64", cpu: "Xeon", part: "xeon-4cpu", cpus: 4, tier: "hw", kernel: "6.1", os: "Debian"},
     scenarios: [{name: "redis-get", path: "scenarios/redis-get.yaml", state: "measured", status: 0,
       attached: "service redis (pid 12)", work_unit: "request", runs_wanted: 6,
       settings: {command: [], services: ["redis: redis-server"], load: "redis-benchmark", window_s: $s},
       printed_metrics: [{name: "p99", unit: "us", better: "lower"}, {name: "hits", unit: "hits/s", better: "higher"}],
       gates: [
         {metric: "task-clock", relative: true, tolerance_pct: 25, verdict: "pass"},
         {metric: "page-faults", relative: true, tolerance_pct: 1, verdict: "pass"},
         {metric: "p99", relative: true, tolerance_pct: 50, verdict: "pass"},
         {metric: "hits", min: 1000, verdict: "pass"}],
       runs: [range(6) | (1 + . / 10000) as $x | ($clock * $x) as $clock |
         {"wall-time": ($s * 1000), work: $n, throughput: ($n / $s), "task-clock": $clock, "page-faults": ($n / 8000),
          "task-clock-per-work": ($clock / $n), "page-faults-per-work": (1 / 8000), p99: (0.25 * $x),
          hits: 82412.5}]}]}' >"$1"
}

windows base.json 5 400000 4000
windows faster.json 5 800000 4000
windows slower.json 5 200000 4000
expect 0 compare base.json faster.json
cat "$out"
echo
expect 1 compare base.json slower.json -v
sed -n '1,/^  work/p' "$out"
echo
# Twice the window with twice the work is equal.
windows longer.json 10 800000 8000
expect 0 compare base.json longer.json -v
sed -n '/^pass redis-get/,/^  rerun /p;/^INCONCLUSIVE redis-get/,/^  rerun /p' "$out"
echo

# Without the work, only windows of the same length compare.
no_work='del(.scenarios[].work_unit) | .scenarios[].runs |= map(with_entries(select(.key | test("work|throughput") | not)))'
for file in base longer; do jq "$no_work" $file.json >$file-alone.json; done
expect 0 compare base-alone.json base-alone.json
lacks "$out" 'window differs' 'per unit of work'
expect 0 compare base-alone.json longer-alone.json
sed -n '/^NOT MEASURED/,$p' "$out" | sed '/^  machine/,$d'

# A note names a baseline without work.
expect 0 compare base-alone.json base.json
has "$out" 'the baseline has no values per request;'

expect 1 compare base.json slower.json --json
cp "$out" compared.json
jq -c '.scenarios[0] | .attached, .work_unit, .printed_metrics[1], (.gates[] | [.metric, .per_work, .verdict])' compared.json
for format in markdown html junit; do
  expect 1 report compared.json --format $format
  has "$out" 'CPU time per request' '200 k requests in each window, 40.0 k/s' 'service redis (pid 12), 6 windows of 5.00 s' \
    '82.4 k hits/s'
done
nothing_measured

# On a busy machine a server waits. Its CPU time per request is still judged.
gates='.scenarios[].gates = [{metric: "task-clock", relative: true, tolerance_pct: 25, verdict: "pass"},
  {metric: "throughput", relative: true, tolerance_pct: 25, verdict: "pass"}]'
jq "$gates" slower.json >quiet.json
jq '.busy = ["other processes used 3.1 of 4 CPUs while measuring"]' quiet.json >busy.json
for file in quiet busy; do
  expect 1 compare base.json $file.json --json
  jq -r '.scenarios[0].gates[] | [.metric, .verdict, .reason] | @tsv' "$out"
done
