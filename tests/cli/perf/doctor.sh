# doctor exits with 0 if this machine can measure. Otherwise it exits with 3 and prints the remedy.

need perf
expect 0 doctor --json
jq -e '.schema == 1 and .status == 0 and (.findings | length) > 5' "$out" >/dev/null || fail "$(cat "$out")"
mk_perf <<<'exit 1'
expect 3 doctor
has "$out" PAWL_PERF
expect 3 doctor --json
jq -e '.status == 3' "$out" >/dev/null || fail "$(cat "$out")"
