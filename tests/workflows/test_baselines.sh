#!/bin/bash
# tools/github/baselines.sh: only the baselines measured on a runner become a branch and a pull request.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
script=$here/../../tools/github/baselines.sh
export PAWL=${PAWL:-$here/../../build/pawl} PAWL_REASON='new runners' PAWL_RUNNER=here
command -v python3 >/dev/null || { echo 'python3 is not installed (tools/setup.sh test)'; exit 77; }
work=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
failures=0
export XDG_RUNTIME_DIR=$work HOME=$work

expect() {
  local words=$1
  shift
  if "$@" >"$work/output" 2>&1; then
    echo "ok    baselines: $words"
  else
    printf 'FAIL  baselines: %s\n' "$words"
    sed 's/^/      | /' "$work/output" "$work/said"
    failures=$((failures + 1))
  fi
}

# A stand-in for GitHub that records each request and answers it.
python3 - "$work" <<'END_PY' &
import http.server, os, sys
class Answers(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(sys.argv[1] + "/asked", "wb") as file:
            file.write(self.path.encode() + b"\n" + body)
        answer = b'{"html_url": "https://github.example/pull/9", "message": "no"}'
        self.send_response(403 if os.path.exists(sys.argv[1] + "/refuse") else 201)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
    def log_message(self, *args): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Answers)
with open(sys.argv[1] + "/port.new", "w") as file: file.write(str(server.server_port))
os.rename(sys.argv[1] + "/port.new", sys.argv[1] + "/port")
server.serve_forever()
END_PY
server=$!
while [[ ! -e $work/port ]]; do sleep 0.1; done

git config --global user.name a
git config --global user.email a@example.com
git init -q -b main "$work/tree"
cd "$work/tree"
mkdir scenarios
printf 'version: 1\nname: small\ntarget: { command: "true" }\nmeasure: { runs: 3 }\nprofile: { kinds: [] }\n' >scenarios/small.yaml
git add -A
git commit -qm first
git init -q --bare "$work/remote"

# Makes the baselines by hand.
"$PAWL" baseline update -q --reason first >"$work/said" 2>&1
mkdir -p pawl-baselines/small
mv baselines/small/*.json pawl-baselines/small/
rm -r baselines
mkdir -p pawl-baselines/.github/workflows
echo evil | tee pawl-baselines/.github/workflows/evil.json pawl-baselines/evil.json >pawl-baselines/small/evil.sh

run() {
  local status=0
  env GITHUB_TOKEN=secret-token GITHUB_REPOSITORY=owner/project GITHUB_RUN_ID="$1" GITHUB_REF_NAME=main REMOTE="$work/remote" \
    GITHUB_API_URL="http://127.0.0.1:$(cat "$work/port")" "$script" propose >"$work/said" 2>&1 || status=$?
  [[ $status -eq $2 ]]
}
said() { grep -q -- "$1" "$work/said"; }
expect 'a branch is pushed and its pull request opened' run 5 0
expect 'the request names branch, base and reason' grep -q '"head": "pawl/baselines-5-1", "base": "main".*new runners' "$work/asked"
files() { [[ $(git -C "$work/remote" diff-tree -r --name-only --no-commit-id pawl/baselines-5-1) =~ ^baselines/small/[^/]*\.json$ ]]; }
expect 'the branch has the baselines alone' files
expect 'the token is not said' eval '! said secret-token'
expect 'what is accepted already is said' run 6 1
expect 'and why' said 'no baseline differs'
git reset -q --hard HEAD~1
touch "$work/refuse"
expect 'a token without rights fails' run 7 1
expect 'with the setting that it lacks' said 'Allow GitHub Actions to create'
PAWL_REASON=' '
expect 'no reason, no change' run 8 1
[[ $failures -eq 0 ]]
