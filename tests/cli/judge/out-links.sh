# No folder on the way to pawl's output may be a link from the repository.

mk_quick a
mkdir ../victim
ln -s ../victim lnk
refused() {
  expect 2 "$@"
  has "$err" "$PWD/lnk is a symbolic link"
  [[ -z $(ls -A ../victim) ]] || fail "it was written to: $(ls ../victim)"
}
echo 'out: lnk/b/c' >pawl.yaml
refused run
echo 'baselines: lnk/b' >pawl.yaml
refused baseline update --reason first
rm pawl.yaml
refused run --out lnk/gate
expect 0 run --out "$CASE_DIR/elsewhere/gate"
echo -- reports that lay there already are none of this run
mkdir -p gate
for file in result.json report.md report.html junit.xml; do echo forged >gate/$file; done
chmod 000 scenarios/a.yaml
expect 0 run --out gate || :
! grep -l forged gate/* || fail 'a forged report is left'
