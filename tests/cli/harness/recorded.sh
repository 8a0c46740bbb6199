# Files of Google Benchmark and hyperfine that a program replays: the name decides the clock and what is compared.

fixtures=$(dirname "$LIB")/../fixtures/harness
cat >replay <<'SH'
#!/bin/sh
for word; do
  case $word in --benchmark_out=* | --export-json=*) cp results.json "${word#*=}" ;; esac
done
SH
chmod +x replay
mk_micro google-benchmark '[./replay]' <<<''

# judged STATUS BASE HEAD: prints the verdicts on two files.
judged() {
  cp "$fixtures/$2.json" ../base/results.json
  cp "$fixtures/$3.json" results.json
  expect "$1" run micro --base ../base --no-explain
  verdicts
}
[[ $(judged 1 google-manual-base google-manual-head) == 'copy/manual_time regression' ]] || fail 'manual time'
[[ $(judged 0 google-real-base google-real-head) == 'send/real_time improvement' ]] || fail 'real time'
[[ $(judged 0 google-measured google-skipped) == 'gpu not-measured' ]] || fail 'skipped'
[[ $(judged 0 google-skipped google-measured) == 'gpu not-measured' ]] || fail 'skipped in the base'
[[ $(judged 0 google-one google-nan) == 'a pass' ]] || fail 'NaN of a key that is not used'
[[ $(judged 1 google-names-base google-names-head) == $'Set<char*> regression\nSet<char> not-measured' ]] || fail 'names'

# hyperfine: commands with other names are never compared, and the report says how they would be.
mk_micro hyperfine '[./replay]' <<<''
cp scenarios/micro.yaml ../base/scenarios/
[[ $(judged 0 hyperfine-old hyperfine-new) == $'./new x new\n./old x not-measured' ]] || fail 'commands of other names'
has "$out" "the only benchmark is './old x' in the base and './new x' in the head" 'give both the same --command-name'
[[ $(judged 0 hyperfine-parameters hyperfine-parameters) == $'run (threads 1) pass\nrun (threads 2) pass' ]] || fail 'parameters'
lacks "$out" command-name
