# An interrupt, and SIGKILL, while a run is profiled: everything ends, and what was counted is kept.
. "$LIB"

# A perf that can be told from anybody else's.
ln -s "$(command -v perf)" perf
export PAWL_PERF=$PWD/perf
sleeping="sleep 300.$$"
# In a file, so that no shell has the words in its command line while a run is counted.
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
