# Options of typed commands, and the hints for users of other tools.

cat >busy <<'SH'
#!/bin/sh
i=0
while [ $i -lt 60000 ]; do i=$((i + 1)); done
echo "$1"
SH
chmod +x busy

# Parameter lists, names, --prepare and output. Without a shell a dollar sign is literal.
expect 0 ab -N -r 12 -w 2 --limit 900% --out run -s 'echo set >>up' -c 'echo clean >>down' -L word 'a,b c,$HOME' -n '<{word}>' --prepare 'echo {word} >>prepared' \
  "./busy \"{word}\"" --show-output --export-json out/all.json --export-markdown all.md
has "$err" 'b c' '$HOME'
grep -qx 'b c' prepared || fail "not prepared: $(sort -u prepared)"
holds '[.scenarios[] | .base.label, .pairing.head.label] | length == 4' run/result.json
holds '[.scenarios[].pairs | length] == [12, 12]' run/result.json
# Each of two comparisons has two sides.
[[ $(cat up) == $'set\nset\nset\nset' && $(cat down) == $'clean\nclean\nclean\nclean' ]] || fail "$(cat up down)"
[[ $(jq -c '[.results[].command]' out/all.json) == '["<a>","<b c>","<$HOME>"]' ]] || fail "$(cat out/all.json)"
jq -e '.results[] | (.times | length) as $n | $n >= 12 and .mean > 0 and .min <= .median and .median <= .max and .user >= 0 and
  (.exit_codes | length) == $n and .metric == "cpu-time"' out/all.json >"$CASE_DIR/kept/jq" || fail "$(cat out/all.json)"
has all.md '| Command | Median cpu-time | Min | Max | Relative |' '| `<a>` |' '| 1.00 |'

# Standard output is the export's if that is asked for.
expect 0 ab 'true' 'true; true' -m 7 -M 8 --limit 900% --export-json -
jq -e '[.results[].times | length] | all(. >= 7 and . <= 8)' "$out" >"$CASE_DIR/kept/jq" || fail "$(cat "$out")"

refused() {
  local words=$1
  shift
  expect 2 ab "$@"
  has "$err" "$words"
}
refused 'compare with what?'
refused "Two commands are pawl ab 'OLD' 'NEW', scenarios are pawl run work --base REF" work
refused 'there is no --base: builds are compared by' true false --base .
expect 128 ab true --bisect
has "$err" 'there is no --bisect: git bisect run pawl run'
refused "commands have no metric 'speed'" --metric speed true true
refused '--limit: expected a percentage above 0%' true true --limit=-3%
refused 'there is no --tolerance any more: it is --limit PCT' true true --tolerance 3%
refused '--runs is the exact number of pairs' -r 5 -m 3 true true
refused '--min-runs 9 is more than --max-runs 3' -m 9 -M 3 true true
refused '--max-runs: expected at most 1000, found 5000' -M 5000 true true
refused 'command 2 is empty' true ' '
refused 'a quotation mark is not closed' -N true "echo 'x"
refused '-L n: no command has {n}' -L n 1,2 true true
refused '-L needs two values (NAME VALUES)' true true -L n
refused '-L n: more than 64 commands' -L n "$(seq -s, 65)" 'true {n}'
refused 'compare with what?' -L n 1 'true {n}'
refused '--prepare: once for all commands, or once for each of 3; found 2' true true true -p a -p b
refused '--command-name: 3 names for 2 commands' true true -n a -n b -n c
refused 'there is no --export-csv: there are --export-json FILE and --export-markdown FILE' --export-csv x true true
nothing_measured
