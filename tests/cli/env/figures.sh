# Metrics in the load's output: found, missing, not a number, and amid floods of other output.

figure() {
  server_scenario web '' 20 count <<YAML
metrics:
  - { name: p99, regex: '$1', unit: ms, better: lower }
measure: { runs: 1 }
gates: { p99: { max: 10s, required: true } }
YAML
  sed -i "s%^  command: .*client.py.*%  command: \"python3 $PWD/client.py \${port} 20; $2\"%" scenarios/web.yaml
}
figure 'p99 ([0-9.]+) ms' 'head -c 20000 /dev/zero | base64'
expect 0 run
holds '.scenarios[0].runs[0].p99 > 0'
figure 'no such word ([0-9.]+)' true
expect 3 run
has "$out" 'NOT MEASURED web p99' 'the output had no match of metrics.p99'
figure 'did 20 (requests) in' true
expect 3 run
has "$out" 'in window 1: metrics.p99: the regular expression' 'finds no number in the output'
# pawl keeps only the end of the output.
figure 'p99 ([0-9.]+) ms' 'head -c 3000000 /dev/zero | base64'
expect 3 run
has "$out" "the load reported no throughput: its output has no match of 'did ([0-9]+)'"
