# A full result folder does not lose the report. A full temporary folder does not count as a lack of counters.

need_root
unshare -m true 2>/dev/null || skip 'no mount namespace can be made here'
mk_quick b
cat >in-full <<'SH'
#!/bin/bash
# in-full FOLDER COMMAND...: with a file system of 16 KiB there that has no room left.
mkdir -p "$1"
mount -t tmpfs -o size=16k none "$1" || exit 77
head -c 100000 /dev/zero >"$1/filler" 2>/dev/null
shift
exec "$@"
SH
chmod +x in-full
unshare -m ./in-full full true || skip 'nothing can be mounted here'

ends 3 unshare -m ./in-full "$PWD/full" "$PAWL" run b --no-profile --out full/out
has "$out" 'page-faults'
has "$err" 'No space left on device'
ends 3 unshare -m ./in-full "$PWD/full" "$PAWL" ab true true --metric cpu-time --runs 2 --out full/out
has "$out" 'cpu-time'

mkdir tmp-full
status=0
TMPDIR=$PWD/tmp-full unshare -m ./in-full "$PWD/tmp-full" "$PAWL" run b --no-profile >"$out" 2>"$err" || status=$?
lacks "$err" 'cannot count'
[[ $status -eq 0 ]] || has "$err" 'No space left on device'

# Valgrind does not report a full folder, and a count it could not write gives no number.
command -v valgrind >/dev/null || exit 0
mk_scenario sim <<'YAML'
target: { command: [sh, -c, "true; true"] }
measure: { runs: 2, counters: sim, timeout: 100s }
gates: { instructions: +1% }
YAML
TMPDIR=$PWD/tmp-full ends 0 unshare -m ./in-full "$PWD/tmp-full" "$PAWL" run sim --no-profile --json
jq -e '.scenarios[0].gates[0] | .verdict == "not-measured" and (.reason | test("no space left on device: .*/tmp-full/.* set TMPDIR"))' "$out" >/dev/null ||
  { show_kept; fail 'the full folder is not named'; }
