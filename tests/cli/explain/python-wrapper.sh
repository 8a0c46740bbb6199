# Functions of a Python program are counted even if its start script sets PYTHONPATH. In a virtual environment they
# are not, and the reason says so.

need perf strace python3
python=$(python3 -c 'import sys; print(sys.executable)')
mkdir -p src/invoice
cat >src/invoice/__main__.py <<'PY'
def discount(items):
    found = 0
    for turn in range(1):
        for item in items:
            found += item * turn % 7
    return found


def main():
    sums = [discount(range(400)) for _ in range(300)]
    print(sum(sums))


main()
PY
printf '#!/bin/sh\nPYTHONPATH=src exec %s -m invoice "$@"\n' "$python" >invoice
printf '#!/bin/sh\nPYTHONPATH=src exec %s -m invoice "$@"\n' "$CASE_DIR/kept/venv/bin/python3" >invoice-venv
chmod +x invoice invoice-venv
"$python" -m venv --without-pip "$CASE_DIR/kept/venv" 2>/dev/null || skip 'Python has no module venv'
for kind in invoice invoice-venv; do
  mk_scenario $kind <<YAML
target: { command: [./$kind] }
measure: { runs: 5, budget: 60s }
gates: { task-clock: +15% }
YAML
done
mk_repo
sed -i 's/range(1)/range(6)/' src/invoice/__main__.py

expect 1 run invoice --base HEAD --runs 12
holds '.scenarios[0].causes[0] | .kind == "work" and .function == "discount" and .place == "__main__.py:1"'
holds '[.scenarios[0].evidence[] | select(contains("counted its calls"))] == []'
has pawl-out/latest/invoice/callgrind.out.1 'events: ns entered' 'fn=' discount

expect 1 run invoice-venv --base HEAD --runs 12
holds '[.scenarios[0].evidence[] | select(contains("a wrapper set PYTHONPATH itself"))] | length == 1'
