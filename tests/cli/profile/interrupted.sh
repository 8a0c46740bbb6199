# An interrupt, and SIGKILL, while a run is profiled: everything ends, and what was counted is kept.
. "$LIB"

mk_scenario a <<'YAML'
target: { command: "echo >>ran; test $(wc -l <ran) -le 2 || exec sleep 300" }
warmup: { runs: 0 }
measure: { runs: 2, timeout: 300s }
profile: { samples: 300, duration: 60s }
YAML
file=$PWD/out/a/perf.data
for signal in INT TERM; do
  rm -rf ran out
  interrupted $signal "$file" run -q --out "$PWD/out"
  holds '.partial and .scenarios[0].state == "partial" and (.scenarios[0].runs | length) == 2' out/result.json
  tidy || fail 'a scratch folder is left'
done
rm -rf ran out
"$PAWL" run -q --out "$PWD/out" >"$out" 2>"$err" &
pawl=$!
disown # no word of bash about its end
eventually running "$file" >/dev/null
kill -KILL "$pawl"
gone "$file"
gone 'sleep 300'
lock_is_free
