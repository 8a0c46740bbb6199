# Every run has an environment of the same size, because the size would move the stack. aslr: false gives the target the
# same addresses in every run. Otherwise they stay random.

mk_scenario a <<'YAML'
target: { command: "env | wc -c >>sizes; env | grep -cE '^PAWL_(JOB|LOCK)=' >>marks" }
measure: { runs: 6 }
YAML
for aslr in true false; do
  mk_scenario "$aslr" <<YAML
target: { command: [sh, -c, "grep stack /proc/self/maps >>../$aslr"] }
warmup: { runs: 0 }
measure: { runs: 5, aslr: $aslr }
YAML
done
expect 0 run
[[ $(sort -u sizes | wc -l) -eq 1 ]] || fail "sizes: $(cat sizes)"
sort -u marks
[[ $(cut -d- -f1 ../false | sort -u | wc -l) -eq 1 ]] || fail "aslr false: $(cat ../false)"
if [[ $(cat /proc/sys/kernel/randomize_va_space) != 0 ]]; then
  [[ $(cut -d- -f1 ../true | sort -u | wc -l) -gt 1 ]] || fail "aslr true: $(cat ../true)"
fi
