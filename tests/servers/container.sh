# A podman container, with a cgroup of its own and without. pawl counts the container's busy
# process, and not an equally busy process outside.
# shellcheck shell=bash disable=SC2154
set -eu -o pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
podman=$here/../fixtures/podman.sh
pawl=${PAWL:-$here/../../build/pawl}

skip() {
  echo "$*"
  exit 77
}

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

command -v jq >/dev/null || skip 'jq is not installed'
work=$(mktemp -d "${TMPDIR:-/tmp}/pawl-container.XXXXXX")
containers=$work/pawl-container-$$
mkdir "$work/project"
beside=''
trap '[[ -z $beside ]] || kill "$beside" 2>/dev/null || true; bash "$podman" end "$containers"; rm -rf "$work"' EXIT
export HOME=$containers CONTAINERS_CONF=$containers/containers.conf CONTAINERS_STORAGE_CONF=$containers/storage.conf

helper() {
  local status=0
  bash "$podman" "$1" "$containers" "${@:2}" >"$work/said" 2>&1 || status=$?
  [[ $status -ne 77 ]] || skip "$(tail -n 1 "$work/said")"
  [[ $status -eq 0 ]] || fail "podman.sh $1: $(cat "$work/said")"
}

# Prints the CPU time that process $1 has used, in milliseconds.
used_ms() {
  local line
  line=$(cat "/proc/$1/stat")
  # shellcheck disable=SC2086
  set -- ${line##*) }
  echo $(((${12} + ${13}) * 1000 / $(getconf CLK_TCK)))
}

scenario() {
  cat >"$work/project/$1.yaml" <<YAML
version: 1
target: { container: $1 }
measure: { window: 500ms, runs: 2 }
profile: { kinds: [] }
YAML
}

# measures NAME [OPTION...]: measures a container started with the OPTIONs.
measures() {
  local name=$1 pid before gained file=$work/out-$1/result.json status=0
  helper run --name "$name" "${@:2}" -- /bin/busybox sh -c 'while :; do :; done'
  pid=$(podman inspect --format '{{.State.Pid}}' "$name")
  scenario "$name"
  before=$(used_ms "$pid")
  (cd "$work/project" && "$pawl" run "$name.yaml" --out "$work/out-$name") >"$work/pawl" 2>&1 || status=$?
  gained=$(($(used_ms "$pid") - before))
  [[ $status -eq 0 ]] || fail "pawl ended with status $status: $(tail -n 20 "$work/pawl")"
  jq -e '.scenarios[0].runs | length >= 2' "$file" >/dev/null || fail "fewer than two runs: $(cat "$work/pawl")"
  # The windows lie inside the observed time. A busy process gets at least a part of a CPU.
  jq -e --argjson gained "$gained" '.scenarios[0].runs | (map(.["task-clock"]) | add) as $sum |
      all(.["task-clock"] > 100 and .["task-clock"] < .["wall-time"] * 1.1) and $sum < $gained * 1.05 + 20' "$file" >/dev/null ||
    fail "not the container's: $gained ms used, $(jq -c '.scenarios[0].runs | map([.["task-clock"], .["wall-time"]])' "$file")"
  [[ -e /proc/$pid ]] || fail 'pawl ended the container'
  helper as-is rm -f -t 0 "$name"
  [[ ! -e /proc/$pid ]] || fail 'the container runs still'
  status=0
  (cd "$work/project" && "$pawl" run "$name.yaml" --out "$work/gone-$name") >"$work/pawl" 2>&1 || status=$?
  [[ $status -eq 3 ]] || fail "without the container: status $status: $(cat "$work/pawl")"
  grep -q "container $name was not found" "$work/pawl" || fail "without the container: $(cat "$work/pawl")"
}

helper make
while :; do :; done &
beside=$!
measures plain --cgroups=disabled
echo 'ok    a container without a cgroup of its own'
if [[ $(id -u) -eq 0 ]]; then
  measures grouped --cgroup-parent="/${containers##*/}"
  echo 'ok    a container with a cgroup of its own'
else
  echo 'skip  a container with a cgroup of its own: only root may give it one everywhere'
fi
