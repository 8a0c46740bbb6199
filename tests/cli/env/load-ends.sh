# A load that ends before the window begins is a failure. If it ends within the window, that window is not counted.

server_scenario web '' 1s rate <<<'measure: { window: 1s, runs: 3 }'
cp scenarios/web.yaml kept.yaml
with_load() { sed "s%^  command: .*client.py.*%  command: $1%" kept.yaml >scenarios/web.yaml; }
with_load '"true"'
expect 3 run
has "$out" 'in window 1: the load ended' 'before the window began; give it more to do'

# One load ends early: a note reports it, and another window replaces it.
cat >load.sh <<'SH'
echo >>loads
[ "$(wc -l <loads)" -ne 2 ] || exec python3 client.py "$1" 0.5s
exec python3 client.py "$1" 20s
SH
with_load "sh load.sh \${port}"
sed -i '/^  work:/d' scenarios/web.yaml
expect 0 run
has "$out" 'a window was not counted: it was cut short: the load ended after' 's of 1 s'
holds '[.scenarios[0].runs[] | ."wall-time" >= 999] == [true, true, true]'

# If the work is known, a short window counts.
rm loads
with_load "sh load.sh \${port}"
sed -i 's/20s/2s/' load.sh
expect 0 run
holds '[.scenarios[0].runs[] | ."wall-time" < 999] == [false, true, false]'
holds '[.scenarios[0].runs[] | .work > 0] | all'
