# A target stops its parent, the keeper: the timeout still applies, and no process remains.

marker=stopped-$$-long
mk_scenario a <<YAML
target: { command: [sh, -c, "kill -STOP \$PPID; sleep 300; : $marker"] }
warmup: { runs: 0 }
measure: { runs: 1, timeout: 1s }
YAML
expect 3 run -q
has "$out" 'did not end within 1 s'
gone "$marker"
lock_is_free
