#!/bin/bash
# The step of the actions that installs pawl, with a folder or a server in place of the release. Covers tags, branches and
# commits; wrong checksums; missing releases, programs and networks; programs and perfs that do not run here.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
. "$root/tests/results.sh"
for need in curl sha256sum; do command -v $need >/dev/null || { echo "skip  install: $need is not installed"; exit 0; }; done
python3 -c 'import yaml' 2>/dev/null || { echo 'skip  install: no python3 with yaml (tools/setup.sh test)'; exit 0; }

version=$(sed -n 's/^VERSION := //p' "$root/Makefile")
file=pawl-$version-linux-$(uname -m)
export GITHUB_REPOSITORY=them/project GITHUB_ACTION_REPOSITORY=owner/pawl PAWL_NO_INSTALL=1 XDG_RUNTIME_DIR=$work MADE=$PAWL
unset GITHUB_PATH MAKEFLAGS PAWL_PERF "${!http_@}" "${!HTTP_@}"

# Replaces sudo and sysctl, which would change the machine, and make, which takes a minute.
mkdir "$work/bin"
printf '#!/bin/sh\necho "not here: $*"\n' | tee "$work/bin/sudo" >"$work/bin/sysctl"
printf '#!/bin/sh\necho "built from source"\ncp "$MADE" "$2/build/pawl"\n' >"$work/bin/make"
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH

# publish [PROGRAM]: makes the release.
publish() {
  published=$work/server/owner/pawl/releases/download/v$version
  rm -rf "$work/server"
  mkdir -p "$published"
  cp "${1:-$PAWL}" "$published/$file"
  echo other >"$published/pawl-$version-linux-other"
  (cd "$published" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
}

# install ACTION REF [SERVER]: runs the step in a new checkout of the action, which the workflow names by REF.
install() {
  status=0
  rm -rf "$work/action"
  mkdir -p "$work/action/tools" "$work/action/comment"
  cp "$root/Makefile" "$root/action.yml" "$work/action/"
  cp "$root/comment/action.yml" "$work/action/comment/"
  cp -r "$root/tools/github" "$root/tools/setup.sh" "$work/action/tools/"
  GITHUB_ACTION_REF=$2 GITHUB_SERVER_URL=${3:-file://$work/server} python3 "$here/job.py" action "$work/action/$1" \
    --only 'Install pawl' --tree "$work" --artifacts "$work" >"$work/output" 2>&1 || status=$?
}

# check WORDS TEST...: each TEST holds: an expression that the output matches, or the word built or released.
check() {
  local words=$1 test
  shift
  for test in "$@"; do
    case $test in
      released) { [[ $status -eq 0 ]] && cmp -s "$work/action/build/pawl" "$published/$file" && ! grep -q '^built from source$' "$work/output"; } ;;
      built) { [[ $status -eq 0 ]] && cmp -s "$work/action/build/pawl" "$PAWL" && grep -q '^built from source$' "$work/output"; } ;;
      *) grep -qE -- "$test" "$work/output" ;;
    esac || { echo "status $status, and not: $test" >>"$work/output"; fail "install: $words"; return; }
  done
  ok "install: $words"
}

# A program that differs from what is built here.
cp "$PAWL" "$work/pawl"
echo >>"$work/pawl"
publish "$work/pawl"
install action.yml "v$version"
check 'a tag installs the program of its release, and the machine is named' released "^pawl $version$" \
  '^::notice title=pawl::counter tier [a-z]+, machine class [a-z0-9_-]+$'
install comment/action.yml "v${version%%.*}"
check 'the tag of the major version, too' released
[[ $(find "$work/action/build" -mindepth 1) == "$work/action/build/pawl" ]] || fail 'install: files are left in build/'

for ref in main "v$version-rc" v99 "$(printf '%040d' 1)" ''; do
  install comment/action.yml "$ref"
  check "'$ref' is built from source, and nothing is said of a release" built
  ! grep -q 'title=pawl' "$work/output" || fail "install: '$ref' has a message"
done
GITHUB_ACTION_REPOSITORY='' install comment/action.yml "v$version"
check 'so is the action of a checkout, whatever its tag' built

# -------- the release is not as it should be

publish
echo >>"$published/$file"
install comment/action.yml "v$version"
check 'a wrong checksum ends the job, and says what to do' \
  "^::error title=pawl::file://.*/$file was damaged or replaced, and was not run: .* SHA256SUMS says [0-9a-f]{64}\. Start the job again\."
[[ $status -eq 3 && ! -e $work/action/build/pawl ]] || fail 'install: a wrong checksum is not status 3 without a program'
! grep -q '^built from source$' "$work/output" || fail 'install: after a wrong checksum pawl is built'

source_instead='pawl is built from source instead'
install comment/action.yml "v$version" "file://$work/nowhere"
check 'without a release, pawl is built' built "^::warning title=pawl::cannot download .*/v$version/SHA256SUMS \(curl: .*\)\. $source_instead"
publish
sed -i "/$file/d" "$published/SHA256SUMS"
install comment/action.yml "v$version"
check 'without a program for this architecture, pawl is built' built "lists no $file: it has no program for this architecture\. $source_instead"
publish
rm "$published/$file"
install comment/action.yml "v$version"
check 'so it is if the program is missing' built "cannot download .*/$file \(curl: .*\)\. $source_instead"
install comment/action.yml "v$version" http://127.0.0.1:9
check 'and without a network' built "cannot download http://127.0.0.1:9/.* \(curl: .*connect.*\)\. $source_instead"

# The C library's own message.
if grep -qa 'GLIBC_2\.34' "$PAWL"; then
  LC_ALL=C sed 's/GLIBC_2\.34/GLIBC_9.99/g' "$PAWL" >"$work/pawl"
  publish "$work/pawl"
  install comment/action.yml "v$version"
  check 'with an older C library, pawl is built' built "$file of the release does not run here \(.*GLIBC_9\.99.* not found.*\)\. $source_instead"
else
  skip 'install: with an older C library, pawl is built' 'this program does not need GLIBC_2.34'
fi

# -------- a server: busy once, then well; or one whose connections break

cat >"$work/server.py" <<'PYTHON'
import http.server, os, sys
busy = set()
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        kind, _, self.path = self.path[1:].partition("/")
        if kind == "busy" and self.path not in busy:
            busy.add(self.path)
            return self.send_error(503)
        if kind == "broken":
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            return self.wfile.write(b"half")
        super().do_GET()
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(server.server_port))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
PYTHON
publish
(cd "$work/server" && exec python3 "$work/server.py" "$work/port" >"$work/log" 2>&1) &
trap 'kill '$!'; rm -rf "$work"' EXIT
for _ in {1..200}; do [[ ! -e $work/port ]] || break; sleep 0.05; done
server=http://127.0.0.1:$(cat "$work/port")
install comment/action.yml "v$version" "$server/busy"
check 'a busy server is asked again' released
[[ $(grep -c ' 503 ' "$work/log") -eq 2 ]] || fail 'install: the server was not busy' "$work/log"
install comment/action.yml "v$version" "$server/broken"
check 'after a broken connection, pawl is built' built "SHA256SUMS \(curl: .*\)\. $source_instead"
install comment/action.yml "v$version" "$server/well/nowhere"
check 'without such a release on the server, too' built "SHA256SUMS \(curl: .* 404\)\. $source_instead"

# -------- perf

printf '#!/bin/sh\necho "WARNING: perf not found for kernel 9.99.0-1018" >&2\nexit 2\n' >"$work/bin/perf_of_another"
chmod +x "$work/bin/perf_of_another"
PAWL_PERF=$work/bin/perf_of_another install action.yml "v$version"
check 'a perf that does not fit the kernel is named on the page of the run' released \
  '^::warning title=pawl::.*perf_of_another --version does not work \(WARNING: perf not found for kernel 9\.99\.0-1018\)' \
  '^This machine cannot measure'
[[ $failures -eq 0 ]]
