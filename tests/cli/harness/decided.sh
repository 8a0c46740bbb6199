# Decided benchmarks are left out of later runs. If a program does not know them by their names, all run again.

# A program like Google Benchmark's: a and b repeat exactly, c swings in the head. It notes its filters in the file asked.
cat >bench <<'SH2'
#!/bin/sh
filter=.
for word; do
  case $word in
    --benchmark_out=*) out=${word#*=} ;;
    --benchmark_filter=*) filter=${word#*=} ;;
  esac
done
echo "$filter" >>asked
[ ! -e nameless ] || [ "$filter" = . ] || filter=no-such-name
awk -v filter="$filter" -v swing="$(($(wc -l <asked) % 2 * $(cat swing)))" 'BEGIN {
  time["a"] = 100; time["b"] = 200; time["c"] = 300 + swing
  for (name in time)
    if (name ~ filter)
      rows = rows (rows ? ", " : "") "{\"name\": \"" name "\", \"iterations\": 1, \"time_unit\": \"us\", \"cpu_time\": " time[name] "}"
  print "{\"context\": {}, \"benchmarks\": [" rows "]}"
}' >"$out"
SH2
chmod +x bench
echo 0 >swing
mk_micro google-benchmark '[./bench]' <<<''
echo '# another build' >>bench
echo 100 >swing

# compared: checks the verdicts, and leaves the filters of the head's pairs in `asked`.
compared() {
  rm -f asked ../base/asked
  expect 0 run micro --base ../base --no-explain --runs 12
  [[ $(verdicts) == $'a pass\nb pass\nc inconclusive' ]] || { verdicts >&2; fail 'other verdicts'; }
}
compared
[[ $(tail -n 12 asked | uniq -c | tr -s ' ') == $' 6 .\n 6 ^c$' ]] || { cat asked >&2; fail 'other filters'; }
holds '.scenarios[0].pairs | length == 12'
holds '.scenarios[0].pairing.gates == 3'

touch nameless ../base/nameless
compared
[[ $(tail -n 12 asked | uniq -c | tr -s ' ') == $' 6 .\n 2 ^c$\n 4 .' ]] || { cat asked >&2; fail 'other filters of a program without names'; }

# A gate on whole runs needs the same work in each.
rm nameless ../base/nameless
mk_micro google-benchmark '[./bench]' <<<'gates: { "*": default, max-rss: { max: 1GiB } }'
cp scenarios/micro.yaml ../base/scenarios/
rm -f asked ../base/asked
expect 0 run micro --base ../base --no-explain --runs 12
[[ $(sort -u asked) == . ]] || { cat asked >&2; fail 'a run of some benchmarks under a gate on whole runs'; }
