# Interrupted within a pair, pawl keeps and reports the complete pairs and leaves nothing behind.

mk_work 1
sh build.sh >/dev/null
runs=$CASE_DIR/kept/runs marker=pairs-$$-long
cat >slow <<SH
./work
echo run >>"$runs"
[ "\$(wc -l <"$runs")" -lt 11 ] || exec sleep 300 "$marker"
SH
mk_scenario slow 'target: { command: [sh, slow] }' 'measure: { timeout: 400s }' 'gates: { task-clock: default }'
# With --runs no early look ends the pairs before the run that sleeps.
sed -i 's/sleep 300 .*/sh -c "sleep 300; : '"$marker"'"/' slow
interrupted INT "sleep 300; : $marker" run slow work --base . --no-profile --runs 11
holds '.partial and .status == 130 and .mode == "paired"'
holds '[.scenarios[].state] == ["partial", "skipped"] and (.scenarios[0].pairs | length) >= 2'
has "$out" 'interrupted'
tidy || fail "left: $(ls -A "$TMPDIR")"
