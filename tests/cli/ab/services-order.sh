# Whose service is started first is tossed apart from whose window comes first, and both are warmed up once both stand:
# otherwise one side would be the older one, and the one that idles longer, in every pair.
. "$LIB"

server_scenario web '' 20 count <<'YAML'
gates: { task-clock: default }
YAML
log=$CASE_DIR/kept/log
# shellcheck disable=SC2016
printf '#!/bin/sh\necho $1 $2 >>%s\nshift 2\nexec "$@"\n' "$log" >logged.sh
sed -i 's/command: \[\(python3, ".*\(server\|client\).py"\)/command: [sh, logged.sh, \2, "${tmp}", \1/' scenarios/web.yaml
cp -r . "$CASE_DIR/base"
expect 0 ab web --base ../base --no-profile --runs 4 --seed 3 --pairs in-turn
# A pair in a line: b and h of the base and the head, in capitals where they start. One that was stolen from is measured
# again; that is cut off.
sed -e 's/^server .*base$/B/' -e 's/^server .*head$/H/' -e 's/^client .*base$/b/' -e 's/^client .*head$/h/' "$log" |
  tr -d '\n' | sed 's/[BH][BH]/\n&/g' | cut -c 1-6
echo
