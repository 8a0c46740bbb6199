# A service that imports the other side's tree is not compared. Its scripts are not mapped, so pawl traces its first start.

need strace
need_root
strace -o trace true || skip 'strace may not trace here'
server_scenario web '' 5 count <<<'gates: { task-clock: +5% }'
mkdir -p src/spin "$CASE_DIR/installed"
echo 'ROUNDS = 1' >src/spin/__init__.py
sed -i '1i import spin' server.py
python3 -m venv --without-pip "$CASE_DIR/installed/venv"
for site in "$CASE_DIR"/installed/venv/lib/python3*/site-packages; do echo "$PWD/src" >"$site/spin.pth"; done
sed -i "s|python3, \"$PWD/server.py\"|$CASE_DIR/installed/venv/bin/python, server.py|" scenarios/web.yaml
mk_repo trace
echo 'ROUNDS = 4' >src/spin/__init__.py
commit_all 'four times the work'

not_compared() {
  expect 0 run web --base HEAD~1 --no-profile
  first_line_has "$out" 'NOTHING WAS COMPARED'
  has "$out" "the base loaded $PWD/src/spin/__init__.py, which is in the head's tree"
  holds '.scenarios[0] | (.pairs | length) == 1 and .gates[0].verdict == "not-measured"'
}

not_compared
# The same if both sides listen on one port, and so restart for each window.
port=$(free_port)
sed -i "s/\${port}/$port/" scenarios/web.yaml
not_compared
holds '.scenarios[0].pairing.services == "restarted for each window"'
