# An unknown ref is misuse, and the error says how to fetch it.

mk_quick a
mk_repo
refused() {
  expect 2 "$@"
  cat "$err"
  nothing_measured
}
refused run --judge no-such-branch
refused run --judge --help
GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main refused run
refused baseline update --judge HEAD
rm -rf .git
refused run --judge HEAD
refused baseline diff --json
