# A target that does next to nothing, or prints a usage text, would pass for ever. Every report warns.

# warns NAME WORDS: the reports of the last run hold WORDS.
warns() {
  tr -s ' \n' ' ' <"$out" | grep -E "warning $1 $2" >/dev/null || { show_kept; fail "no warning: $2"; }
  grep '::warning' "$err" | grep -E "$1 $2" >/dev/null || { show_kept; fail "no annotation: $2"; }
  for report in report.md report.html junit.xml; do
    tr -d '\\' <"pawl-out/latest/$report" | grep -E "$2" >/dev/null || fail "not in $report: $2"
  done
  holds ".scenarios[0].idle | test(\"$2\")"
}

mk_quick quick
GITHUB_ACTIONS=true expect 0 run
warns quick 'does next to nothing .[0-9.]+ ms per run.: give it more work'
expect 0 baseline update --force
has "$err" 'warning: quick does next to nothing'
rm -r baselines

mk_quick quick 'echo Usage: quick FILE; for i in 1 2 3; do sleep 0.01; done'
GITHUB_ACTIONS=true expect 0 run
warns quick 'prints a usage text and does no work: add its arguments'
mk_quick quick 'echo quick: no FILE; echo usage: quick FILE >&2; exit 2'
GITHUB_ACTIONS=true expect 3 run
warns quick 'prints a usage text and does no work: add its arguments'

# In pairs the head is looked at.
mk_quick quick
mk_repo
expect 0 run --base HEAD --measure-identical
tr -s ' \n' ' ' <"$out" | grep -E 'warning quick does next to nothing' >/dev/null || { show_kept; fail 'no warning in pairs'; }

# A program that waits, or works, for 5 ms is measured as it is. A word in its output is not a usage text.
mk_quick quick 'sleep 0.02; echo memory usage: 12 KiB'
GITHUB_ACTIONS=true expect 0 run
lacks "$out" 'next to nothing' 'usage text'
holds '.scenarios[0] | has("idle") | not'
