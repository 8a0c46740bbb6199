# No text of an untrusted result becomes an option, a path or a command.

mk_quick a
mk_repo
expect 0 run --no-profile
cp pawl-out/latest/result.json good.json
rm -r pawl-out
refused() {
  expect 2 run --repro "$@"
  sed 's/[0-9a-f]\{40\}/COMMIT/' "$err" | grep '^[^ ]*:' | tail -n 1
  nothing_measured
}

# with FILTER: writes bad.json, the result changed by jq's FILTER.
with() { jq "$1" good.json >bad.json; }
refused nowhere
refused .
head -c 34000000 /dev/zero >huge.json
refused huge.json
echo '{}' >empty.json
refused empty.json
with '.schema = 99' && refused bad.json
with '.scenarios[0].name = "../../etc/passwd"' && refused bad.json
with '.scenarios[0].name = "--attach"' && refused bad.json
with '.scenarios[0].name = "gone"' && refused bad.json
with '.scenarios = []' && refused bad.json
with '.commit = "--upload-pack=touch here"' && refused bad.json
with '.judge = { ref: "x", commit: "--output=here", own: false, edits: [], open: [] }' && refused bad.json
with '.judge = { ref: "x", commit: "HEAD", own: false, edits: [], open: [] }' && refused bad.json
with '.judge = { ref: "x", commit: "0123456789012345678901234567890123456789", own: false, edits: [], open: [] }' && refused bad.json
with '.command = "pawl run --runs -5"' && refused bad.json
refused good.json b
refused good.json --keep-env
with '.mode = "paired"' && refused bad.json

# Commands, folders and other options of the file are ignored.
with '.command = "pawl run --base-cmd \"touch here\" --baselines / --out /tmp --lines --attach 1 --runs 3"'
expect 0 run --repro bad.json --no-profile
grep '^  runs' "$err"
[[ ! -e here ]] || fail 'a command of the file was run'
