# The order of starting services and the order of windows are drawn separately. Both services warm up once both run.
# Otherwise one side would be older, and idle longer, in every pair.

server_scenario web '' 20 count <<<'gates: { task-clock: default }'
log=$CASE_DIR/kept/log
# shellcheck disable=SC2016
printf '#!/bin/sh\necho $1 $2 >>%s\nshift 2\nexec "$@"\n' "$log" >logged.sh
sed -i 's/command: \[\(python3, ".*\(server\|client\).py"\)/command: [sh, logged.sh, \2, "${tmp}", \1/' scenarios/web.yaml
cp -r . "$CASE_DIR/base"
expect 0 run web --base ../base --no-profile --runs 4 --seed 3 --pairs in-turn
# One pair per line: b and h are base and head, in capitals where the service starts. The cut drops a window that was
# measured again because the hypervisor stole CPU time.
sed -e 's/^server .*base$/B/' -e 's/^server .*head$/H/' -e 's/^client .*base$/b/' -e 's/^client .*head$/h/' "$log" |
  tr -d '\n' | sed 's/[BH][BH]/\n&/g' | cut -c 1-6
echo
