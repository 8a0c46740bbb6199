# An installation names the working tree by absolute path, so both sides would import it. pawl says so before any pair.

need strace python3
mkdir -p src/spin "$CASE_DIR/installed"
cat >src/spin/__init__.py <<'PY'
ROUNDS = 100000
for i in range(ROUNDS):
    pass
PY
echo 'import spin' >bench.py
mk_repo
git tag base
sed -i s/100000/400000/ src/spin/__init__.py
commit_all 'four times the work'

# A venv as pip install --editable leaves it.
python3 -m venv --without-pip "$CASE_DIR/installed/venv"
for site in "$CASE_DIR"/installed/venv/lib/python3*/site-packages; do echo "$PWD/src" >"$site/spin.pth"; done
work_named editable "[$CASE_DIR/installed/venv/bin/python, bench.py]"
expect 0 run editable --base base --no-profile
first_line_has "$out" 'NOTHING WAS COMPARED'
has "$out" "the base loaded $PWD/src/spin/__init__.py, which is in the head's tree" PYTHONPATH
holds '.scenarios[0] | (.pairs | length) == 1 and .gates[0].verdict == "not-measured" and .pairing.one_program == .gates[0].reason'

# With the advised PYTHONPATH each side imports its own package.
sed -i 's/bench.py\]/bench.py], environment: { PYTHONPATH: src }/' scenarios/editable.yaml
expect 0 run editable --base base --no-profile --no-explain --runs 1
holds '.scenarios[0].pairing.one_program == null'
