# A kept environment holds no inherited descriptor open. It is reported even if the report cannot be written.

server_scenario web '' 20 count <<<'measure: { runs: 1 }'
tidy() { [[ -z $(ls -A "$TMPDIR") ]]; }
ended() { ! kill -0 "$1" || grep -q '^State:.Z' "/proc/$1/status"; }
stop_kept() {
  local keeping
  keeping=$(sed -n 's/stop it with: kill //p' "$err")
  kill "$keeping"
  eventually ended "$keeping"
  gone "$PWD/server.py"
  eventually tidy
}
timeout 60 bash -c '"$0" run --keep-env -q 3>&1 4>&1 7>&1 >/dev/null 2>"$1" | cat' "$PAWL" "$err" || fail 'waits for the end of the environment'
stop_kept
timeout 60 bash -c 'set -o pipefail; "$0" run --keep-env --json 2>&1 | cat >"$1"' "$PAWL" "$err" || fail 'waits, or failed'
stop_kept

status=0
"$PAWL" run --keep-env -q >/dev/full 2>"$err" || status=$?
[[ $status -eq 3 ]] || fail "status $status"
has "$err" 'kept running: web: pid' 'cannot write to standard output'
stop_kept
