# pytest-benchmark in pairs: one test with a planted slowdown regresses alone. It starts slowly, so that few pairs must do:
# they show a slowdown of more than eleven times.

need python3
# Debian's package serves its own python3, which may not be the first in PATH.
for python in python3 /usr/bin/python3 none; do
  "$python" -c 'import pytest, pytest_benchmark' 2>/dev/null && break
done
[[ $python != none ]] || skip 'python3-pytest-benchmark is not installed'
cat >test_work.py <<'PY'
def work(n):
    return sum(i * i for i in range(n))
def test_one(benchmark):
    benchmark(work, ONE)
def test_other(benchmark):
    benchmark(work, 300)
PY
sed -i.orig 's/ONE/1000/' test_work.py
mk_scenario micro <<YAML
target:
  command: [$python, -m, pytest, -p, no:cacheprovider, -q, test_work.py]
  harness: pytest-benchmark
  pass-env: [PYTHONPATH]
measure: { window: 100ms, budget: 75s }
gates: { "*": 30% }
YAML
cp -r . "$CASE_DIR/base"
sed 's/ONE/60000/' test_work.py.orig >test_work.py
expect 1 run micro --base ../base --no-explain --runs 3
has "$out" 'REGRESSION micro test_work.py::test_one +'
[[ $(verdicts) == $'test_work.py::test_one regression\ntest_work.py::test_other inconclusive' ]] || { verdicts >&2; fail 'other verdicts'; }
