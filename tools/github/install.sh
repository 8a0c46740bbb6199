#!/bin/bash
# Put pawl on the PATH of the steps that follow.
#
#   install.sh GROUP...     of the checkout that it lies in; groups of packages as of tools/setup.sh
#
# If PAWL_REF is the tag of this version, pawl is the program of its release. A wrong checksum ends the job. If there is no
# program that runs here, a warning says why, and pawl is built, as from any other checkout. A pawl that was built there
# already is used. The group measure also lets perf count, and prints what this machine can measure.
#
# Environment:
#   PAWL_REF, PAWL_REPOSITORY   the action as its workflow names it: a tag, branch or commit, and OWNER/pawl
#   GITHUB_SERVER_URL           the server of its releases (default https://github.com)
set -eu

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
pawl=$source/build/pawl
version=$(sed -n 's/^VERSION := //p' "$source/Makefile")
release=${GITHUB_SERVER_URL:-https://github.com}/${PAWL_REPOSITORY:-}/releases/download/v$version
groups=("$@")
measure=
[[ " $* " != *' measure '* ]] || measure=1

# annotate LEVEL TEXT: shows TEXT on the page of the run.
annotate() {
  local text=${2//%/%25}
  printf '::%s title=pawl::%s\n' "$1" "${text//$'\n'/%0A}"
}

# True for the two tags that tools/github/release.sh gives a release: v1.2.3 and v1.
is_release() { [[ ${PAWL_REPOSITORY:-} && (${PAWL_REF:-} == "v$version" || ${PAWL_REF:-} == "v${version%%.*}") ]]; }

# download FILE: gets FILE of the release into $work. Servers that are slow or busy are asked three times.
download() {
  curl --fail --silent --show-error --location --proto-redir =https --connect-timeout 5 --max-time 60 \
    --retry 2 --retry-max-time 60 --output "$work/$1" "$release/$1" 2>"$work/said" ||
    { why="cannot download $release/$1 ($(tail -n 1 "$work/said"))"; return 1; }
}

# Puts the release's program at $pawl. Returns 1 with the reason in $why if no program can be had that runs here.
take_release() {
  local file wanted got
  file=pawl-$version-linux-$(uname -m)
  download SHA256SUMS || return
  wanted=$(awk -v file="$file" '$2 == file { print $1 }' "$work/SHA256SUMS")
  [[ $wanted ]] || { why="SHA256SUMS of $release lists no $file: it has no program for this architecture"; return 1; }
  download "$file" || return
  got=$(sha256sum <"$work/$file")
  if [[ ${got%% *} != "$wanted" ]]; then
    annotate error "$release/$file was damaged or replaced, and was not run: its SHA-256 is ${got%% *}, but SHA256SUMS says \
$wanted. Start the job again. If that does not help, tell the maintainers of $PAWL_REPOSITORY, and name a commit instead of \
$PAWL_REF: it is built from source"
    exit 3
  fi
  chmod +x "$work/$file"
  "$work/$file" --version >"$work/said" 2>&1 ||
    { why="$file of the release does not run here ($(sed 's/^[^:]*: //; q' "$work/said"))"; return 1; }
  mv "$work/$file" "$pawl"
  echo "$pawl is $release/$file (SHA-256 $wanted)"
}

# Problems do not end the job here: the report names each gate that could not be measured.
examine() {
  "$pawl" doctor || true
  "$pawl" doctor --json >"$work/found" || true
  python3 - "$work/found" <<'PYTHON' || true
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    found = json.load(file)
problems = [finding for finding in found["findings"] if finding["level"] == "problem"]
lines = [("warning", "; ".join(filter(None, [problem["what"], problem["remedy"]]))) for problem in problems]
lines.append(("notice", "counter tier {tier}, machine class {class}".format_map(found["machine"])))
for level, text in lines:
    print(f"::{level} title=pawl::" + text.replace("%", "%25").replace("\n", "%0A"))
PYTHON
}

echo '::group::Installing pawl'
mkdir -p "${pawl%/*}"
work=$(mktemp -d "${pawl%/*}/install.XXXXXX")
trap 'rm -rf "$work"' EXIT
if [[ ! -x $pawl ]] && is_release && ! take_release; then
  annotate warning "$why. pawl is built from source instead, which takes longer"
fi
# The packages of the group build are only for building.
[[ ! -x $pawl ]] || mapfile -t groups < <(printf '%s\n' "$@" | grep -vx build)
[[ ${#groups[@]} -eq 0 ]] || "$source/tools/setup.sh" "${groups[@]}"
[[ -z $measure ]] || "$source/tools/github/counters.sh"
[[ -x $pawl ]] || make -C "$source" -j "$(nproc)"
echo '::endgroup::'
[[ -z ${GITHUB_PATH:-} ]] || echo "${pawl%/*}" >>"$GITHUB_PATH"
"$pawl" --version
[[ -z $measure ]] || examine
