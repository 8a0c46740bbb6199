# Options of typed commands, and the hints for users of other tools.
. "$LIB"

cat >busy <<'SH'
#!/bin/sh
i=0
while [ $i -lt 60000 ]; do i=$((i + 1)); done
echo "$1"
SH
chmod +x busy

# Parameter lists, names, --prepare and output. Without a shell a dollar sign is literal.
expect 0 ab -N -r 6 -w 2 --tolerance 900% -L word 'a,b c,$HOME' -n '<{word}>' --prepare 'echo {word} >>prepared' \
  "./busy \"{word}\"" --show-output --export-json out/all.json --export-markdown all.md
has "$err" 'b c' '$HOME'
grep -qx 'b c' prepared || fail "not prepared: $(sort -u prepared)"
holds '[.scenarios[] | .base.label, .pairing.head.label] | length == 4'
[[ $(jq -c '[.results[].command]' out/all.json) == '["<a>","<b c>","<$HOME>"]' ]] || fail "$(cat out/all.json)"
jq -e '.results[] | (.times | length) as $n | $n >= 6 and .mean > 0 and .min <= .median and .median <= .max and .user >= 0 and
  (.exit_codes | length) == $n and .metric == "cpu-time"' out/all.json >"$CASE_DIR/kept/jq" || fail "$(cat out/all.json)"
has all.md '| Command | Median cpu-time | Min | Max | Relative |' '| `<a>` |' '| 1.00 |'

# The same for --base-cmd and --head-cmd, with one pair per value.
expect 0 ab --base-cmd './busy {n}' --head-cmd './busy {n}' -L n 1,2 -r 6 --no-profile --tolerance 900% --export-json pairs.json
[[ $(jq -c '[.results[].command]' pairs.json) == '["./busy 1","./busy 1","./busy 2","./busy 2"]' ]] || fail "$(cat pairs.json)"
holds '[.scenarios[].gates[0].metric] == ["task-clock", "task-clock"]'
rm -r pawl-out

refused() {
  local words=$1
  shift
  expect 2 ab "$@"
  has "$err" "$words"
}
mk_quick work
refused 'compare with what?' work
refused 'compare with what?' true
refused "compare with what? 'true' is not a scenario" true
refused "'work' is a scenario and './new' is not" work ./new
refused "'scenarios/work.yaml' is a scenario and 'true' is not" true scenarios/work.yaml
refused "there is no scenario 'true'" true false --base .
refused '--metric is for commands' work --base . --metric wall-time
refused '--export-json is for commands' work --base . --export-json x
refused "commands have no metric 'speed'" --metric speed true true
refused '--tolerance: expected a percentage above 0%' true true --tolerance=-3%
refused 'command 2 is empty' true ' '
refused 'a quotation mark is not closed' -N true "echo 'x"
refused '-L n: no command has {n}' -L n 1,2 true true
refused '-L needs two values (NAME VALUES)' true true -L n
refused '-L n: more than 64 commands' -L n "$(seq -s, 65)" 'true {n}'
refused 'compare with what? There is one command only' -L n 1 'true {n}'
refused '--prepare: once for all commands, or once for each of 3; found 2' true true true -p a -p b
refused '--command-name: 3 names for 2 commands' true true -n a -n b -n c
refused "there is no --setup: run it once before" --setup x true true
refused "there is no -i: a command that may fail is 'CMD || true'" -i true true
refused 'there is no --export-csv: there are --export-json FILE and --export-markdown FILE' --export-csv x true true
refused 'there is no -M: it is -r N here' true true -M 5
nothing_measured
