# Metrics in the load's output: found, missing, not a number, and amid floods of other output.

# figure NAME REGEX MORE: a scenario whose load prints p99 and then what MORE prints.
figure() {
  server_scenario "$1" '' 20 count <<YAML
metrics:
  - { name: p99, regex: '$2', unit: ms, better: lower }
measure: { runs: 1 }
gates: { p99: { max: 10s, required: true } }
YAML
  sed -i "s%^  command: .*client.py.*%  command: \"python3 $PWD/client.py \${port} 20; $3\"%" "scenarios/$1.yaml"
}
figure found 'p99 ([0-9.]+) ms' 'head -c 20000 /dev/zero | base64'
figure missing 'no such word ([0-9.]+)' true
figure words 'did 20 (requests) in' true
# pawl keeps only the end of the output.
figure flooded 'p99 ([0-9.]+) ms' 'head -c 3000000 /dev/zero | base64'
expect 3 run
holds '.scenarios | map(.status) == [3, 0, 3, 3]'
holds '.scenarios[1].runs[0].p99 > 0'
has "$out" 'NOT MEASURED missing p99' 'the output had no match of metrics.p99' 'in window 1: metrics.p99: the regular expression' \
  'finds no number in the output' "the load reported no throughput: its output has no match of 'did ([0-9]+)'"
