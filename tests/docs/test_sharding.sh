#!/bin/bash
# The examples of docs/how-to/many-machines.md. Runs the jobs of the matrix, GNU parallel and the tasks of the array, each
# as its engine would, and then with one shard missing.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
. "$root/tests/results.sh"
page=$root/docs/how-to/many-machines.md

# ends WORDS STATUS COMMAND...: COMMAND ends with STATUS.
ends() {
  local words=$1 wanted=$2 status=0
  shift 2
  "$@" >"$work/output" 2>&1 || status=$?
  if [[ $status -eq $wanted ]]; then ok "$words"; else echo "status $status, not $wanted" >>"$work/output"; fail "$words"; fi
}
shows() { if grep -q -- "$2" "$3"; then ok "$1"; else cp "$3" "$work/output"; fail "$1"; fi; }
# block KIND FILE: writes the page's example of this kind to FILE.
block() {
  awk -v kind="^\`\`\`$1\$" '$0 ~ kind { on = 1; next } /^```/ { on = 0 } on' "$page" >"$2"
  [[ -s $2 ]] || { echo "FAIL  $page has no $1"; exit 1; }
}

mkdir -p "$work/bin" "$work/tree/scenarios" "$work/runtime"
chmod 700 "$work/runtime"
ln -s "$PAWL" "$work/bin/pawl"
export PATH=$work/bin:$PATH XDG_RUNTIME_DIR=$work/runtime
cd "$work/tree" || exit 1
for name in a b c d e f g; do
  printf '%s\n' 'version: 1' 'target: { command: "true" }' 'measure: { runs: 2 }' 'profile: { kinds: [] }' \
    'gates: { max-rss: { max: 1GiB } }' >"scenarios/$name.yaml"
done

block 'sh slurm' "$work/array.sh"
for task in {1..8}; do
  ends "task $task of the array" 0 env SLURM_ARRAY_TASK_ID="$task" SLURM_SUBMIT_DIR="$work/tree" bash "$work/array.sh"
done
ends 'the array merges' 0 pawl report shards/*
rm -r shards/2
ends 'one task missing is status 3' 3 pawl report shards/*
rm -rf shards

block 'sh parallel' "$work/parallel.sh"
if [[ $(parallel --version 2>/dev/null) == 'GNU parallel'* ]]; then
  echo : >hosts # this machine, without ssh
  ends 'parallel measures and merges' 0 bash "$work/parallel.sh"
  shows 'all scenarios' '7 scenarios' "$work/output"
  rm -rf shards hosts
else
  skip 'parallel' 'GNU parallel is not installed'
fi

block 'yaml workflow' "$work/matrix.yml"
# job NAME [OPTION...]: the job, where pawl is checked out to .pawl. Nothing is installed on this machine.
job() {
  env -u GITHUB_EVENT_NAME PAWL_NO_INSTALL=1 python3 "$root/tests/workflows/job.py" run "$work/matrix.yml" "$@" --tree "$work/tree" \
    --artifacts "$work/artifacts" --env GITHUB_STEP_SUMMARY="$work/summary.md"
}
if python3 -c 'import yaml' 2>/dev/null; then
  mkdir -p "$work/artifacts" .pawl/build
  cp -r "$root/Makefile" "$root/tools" .pawl
  ln -s "$PAWL" .pawl/build/pawl
  rm "$work/bin/pawl"
  printf '#!/bin/sh\n' | tee "$work/bin/sudo" >"$work/bin/sysctl"
  chmod +x "$work"/bin/*
  ends 'the workflow keeps the rules' 0 python3 "$root/tests/workflows/job.py" check "$work/matrix.yml"
  for shard in 1 2 3; do
    rm -rf pawl-out
    ends "shard $shard of the matrix" 0 job measure --matrix shard=$shard
  done
  cp -r "$work/artifacts" shards
  ends 'the matrix merges' 0 job report
  shows 'with all scenarios in the summary' '7 scenarios' "$work/summary.md"
  rm -r shards/pawl-result-2
  ends 'one shard missing is status 3' 3 job report
  shows 'and is named' 'shard 2/3' "$work/summary.md"
else
  skip 'the matrix' 'no python3 with yaml (python3-yaml)'
fi
[[ $failures -eq 0 ]]
