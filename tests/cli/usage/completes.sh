# A ref completes to git's refs, newest first. A tag completes to the scenarios' tags.

completes() {
  echo "\$ pawl $*"
  "$PAWL" __complete "$@" | tr '\t' '|'
}

mk_quick a
sed -i '1a tags: [slow, server]' scenarios/a.yaml
mk_quick b
sed -i '1a tags: [slow, nightly]' scenarios/b.yaml
completes run --base ''
git init -q -b trunk .
GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' commit_all $'odd \e[31m subject'
git tag v1.0
git branch topic/one
git update-ref refs/remotes/origin/trunk HEAD
for option in run\ --base run\ --head=v run\ --judge; do
  # shellcheck disable=SC2086
  if [[ $option == *=* ]]; then completes $option; else completes $option t; fi
done
completes run --base HE
completes run --tag ''
completes run --tag=s
# A faulty scenario does not stop completion.
echo 'no: scenario' >scenarios/b.yaml
completes run --tag ''
