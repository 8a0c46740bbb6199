#!/bin/bash
# The JSON Schemas in share/ by Ajv, the validator of SchemaStore: what is shipped and documented is valid, what pawl refuses
# is not, and share/catalog.json finds the schema of each file.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
. "$root/tests/results.sh"
schemas=(node "$here/schemas.js")

if ! command -v node >/dev/null || [[ ! -d $root/tests/workflows/node_modules/ajv ]]; then
  skip 'the schemas' 'node or ajv is not installed (tools/setup.sh test)'
  exit 0
fi

# prints_nothing WORDS COMMAND...: COMMAND succeeds, and finds no fault.
prints_nothing() {
  local words=$1
  shift
  if "$@" >"$work/output" 2>&1 && [[ ! -s $work/output ]]; then ok "schemas: $words"; else fail "schemas: $words"; fi
}
# valid KIND FILE...: share/KIND.schema.json takes each FILE. Without files the test would always pass.
valid() {
  local words="$1: $(($# - 1)) files are valid"
  [[ $# -gt 1 ]] || { fail "schemas: $1: no files"; return; }
  prints_nothing "$words" "${schemas[@]}" invalid "$root/share/$1.schema.json" "${@:2}"
}

prints_nothing 'they and the catalog are as SchemaStore wants them' "${schemas[@]}" faults "$root"

# -------- what is shipped and documented

cd "$root" || exit
mkdir "$work/examples"
python3 tests/docs/documents.py examples "$work/examples" README.md docs/*.md docs/*/*.md >"$work/list" 2>&1 ||
  { cp "$work/list" "$work/output"; fail 'schemas: the examples cannot be read'; }
examples() { awk -F'\t' -v kind="$1" '$1 == kind { print $3 }' "$work/list"; }
mapfile -t files < <(find scenarios share/demo -name '*.yaml'; examples scenario)
valid scenario "${files[@]}"
mapfile -t files < <(echo pawl.yaml; examples config)
valid pawl "${files[@]}"
mapfile -t files < <(find baselines -name '*.json'; examples baseline)
valid baseline "${files[@]}"
XDG_RUNTIME_DIR=$work "$PAWL" ab --json -N true true --runs 6 >"$work/result.json" 2>"$work/output" || true
valid result "$work/result.json"

# -------- what pawl refuses

mkdir -p "$work/project/scenarios"
# refused KIND FILE TEXT: neither share/KIND.schema.json nor pawl takes TEXT, which is FILE of a project.
refused() {
  rm -f "$work"/project/scenarios/* "$work/project/pawl.yaml"
  echo 'target: ./prog' >"$work/project/scenarios/good.yaml"
  printf '%s\n' "$3" >"$work/project/$2"
  "${schemas[@]}" invalid "$root/share/$1.schema.json" "$work/project/$2" >"$work/output" 2>&1 && [[ -s $work/output ]] ||
    { fail "schemas: $1: valid, but should not be: $3"; return; }
  (cd "$work/project" && "$PAWL" check >"$work/output" 2>&1)
  if [[ $? -eq 2 ]]; then ok "schemas: $1: refused: $3"; else fail "schemas: $1: pawl takes: $3"; fi
}
while IFS= read -r text; do refused scenario scenarios/bad.yaml "$text"; done <<'YAML'
name: no-target
{ target: ./prog, gate: { task-clock: 5% } }
{ target: { comand: ./prog } }
{ target: { command: ./prog, service: web } }
{ target: ./prog, version: 2 }
{ target: ./prog, name: no/path }
{ target: ./prog, measure: { runs: many } }
{ target: ./prog, measure: { budget: soon } }
{ target: ./prog, measure: { counters: maybe } }
{ target: ./prog, gates: [task-clock] }
{ target: ./prog, gates: { task-clock: 5 percent } }
{ target: ./prog, env: [{ name: web }] }
YAML
while IFS= read -r text; do refused pawl pawl.yaml "$text"; done <<'YAML'
builds: make
{ scenarios: /srv/scenarios }
{ baselines: ../baselines }
{ measure: { runs: 0 } }
{ profile: { kinds: [heat] } }
[build, make]
YAML

# -------- which schema a file has

matched() { printf '%s\n' "$@" | "${schemas[@]}" matched "$root"; }
matched bench/scenarios/a.yaml scenarios/b.yml pawl.yaml sub/pawl.yaml other.yaml scenarios/servers/c.yaml .github/workflows/ci.yml \
  baselines/a/b.json >"$work/output" 2>&1
if diff "$work/output" - >"$work/diff" <<'NAMES'
bench/scenarios/a.yaml pawl scenario
scenarios/b.yml pawl scenario
pawl.yaml pawl.yaml
sub/pawl.yaml pawl.yaml
NAMES
then ok 'schemas: the catalog finds scenarios and pawl.yaml, nothing else'; else
  fail 'schemas: the catalog finds scenarios and pawl.yaml, nothing else' "$work/diff"
fi
[[ $failures -eq 0 ]]
