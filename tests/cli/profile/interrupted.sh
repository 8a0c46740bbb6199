# An interrupt and SIGKILL during a profiled run: all processes end, and the counted runs are kept.

# A link to perf, to distinguish this perf from others.
ln -s "$(command -v perf)" perf
export PAWL_PERF=$PWD/perf
sleeping="sleep 300.$$"
# A script file keeps the command's words out of a shell's command line during counted runs.
printf '#!/bin/sh\necho >>ran\ntest $(wc -l <ran) -le 2 || exec %s\n' "$sleeping" >work
chmod +x work
mk_scenario a <<YAML
target: { command: [./work] }
warmup: { runs: 0 }
measure: { runs: 2, timeout: 300s }
profile: { frequency: 997, samples: 300, duration: 60s }
YAML
for signal in INT TERM; do
  rm -rf ran out
  interrupted $signal "${sleeping#* }" run -q --out "$PWD/out"
  holds '.partial and .scenarios[0].state == "partial" and (.scenarios[0].runs | length) == 2' out/result.json
  gone "$PAWL_PERF"
  tidy || fail 'a scratch folder is left'
done
rm -rf ran out
"$PAWL" run -q --out "$PWD/out" >"$out" 2>"$err" &
pawl=$!
disown # no word of bash about its end
eventually running "${sleeping#* }" >/dev/null
running "$PAWL_PERF" >/dev/null || fail 'nothing is recorded'
kill -KILL "$pawl"
gone "$PAWL_PERF"
gone "${sleeping#* }"
lock_is_free
eventually tidy
