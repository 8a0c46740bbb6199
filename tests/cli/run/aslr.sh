# aslr: false gives the target the same addresses in every run. Otherwise they stay random.

for aslr in true false; do
  mk_scenario "$aslr" <<YAML
target: { command: [sh, -c, "grep stack /proc/self/maps >>../$aslr"] }
warmup: { runs: 0 }
measure: { runs: 5, aslr: $aslr }
gates: { page-faults: +50% }
YAML
done
[[ $(cat /proc/sys/kernel/randomize_va_space) != 0 ]] || skip 'this kernel does not randomise addresses'
expect 0 run
[[ $(cut -d- -f1 ../false | sort -u | wc -l) -eq 1 ]] || fail "aslr false: $(cat ../false)"
[[ $(cut -d- -f1 ../true | sort -u | wc -l) -gt 1 ]] || fail "aslr true: $(cat ../true)"
