# Without frame pointers stacks are unwound; lbr, where there is none, is told and done by fp.
. "$LIB"

mk_burner
cc -O1 -g -fomit-frame-pointer -pthread -o burner burner.c
mk_scenario a <<YAML
target: { command: [./burner, "50"] }
warmup: { runs: 0 }
measure: { runs: 2 }
profile: { frequency: 997, samples: 100, duration: 5s, call-graph: dwarf }
YAML
expect 0 run
profiled a
heavy ';main;work;hot |;main;hot ' 70
grep -q '^flags.* \(arch_lbr\|lbr\)' /proc/cpuinfo || {
  sed -i 's/dwarf/lbr/' scenarios/a.yaml
  expect 0 run
  profiled a
  holds '.scenarios[0].notes | any(test("a call graph by lbr is not to be had here .*; by fp instead")) or .machine.tier == "hw"'
}
