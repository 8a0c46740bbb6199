# A target tries to forge perf's result: it writes to perf's files and orders perf to stop counting.

cat >slow <<'SH'
#!/bin/bash
for file in "$TMPDIR"/pawl-*/*; do
  [[ -f $file ]] || continue
  echo "$file" >>files
  rm -f "$file"
  printf '1.0;msec;task-clock;1000000;100.00;;\n' >"$file"
done
# Its own perf, by the number that perf was given, and all that this perf has open.
for perf in /proc/[0-9]*; do
  [[ $(tr '\0' ' ' <"$perf/cmdline") == *" stat "*" -p $$ " ]] || continue
  echo "$perf" >>perfs
  for fd in "$perf"/fd/[3-9]; do
    { printf 'disable\n' >"$fd"; } 2>>refused
    { printf '1.0;msec;task-clock;1000000;100.00;;\n' >"$fd"; } 2>>refused
  done
done
sleep 0.2
n=0
while ((n < 300000)); do ((n++)); done
SH
mk_slow 100ms
expect 1 run --no-profile
holds '.scenarios[0].runs | all(."task-clock" > 100)'
holds '.scenarios[0].gates[0].verdict == "regression"'
[[ $(wc -l <perfs) -ge 2 ]] || fail 'it has not found its perf'
[[ ! -e files ]] || fail "it has found $(cat files)"
