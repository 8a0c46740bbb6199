# pytest-benchmark in pairs: one test with a planted slowdown regresses alone, and is explained alone. Three pairs show a
# slowdown of more than eleven times. pawl's plugin spares each run what is slow and is no benchmark.

need python3
# Debian's package serves its own python3, which may not be the first in PATH.
for python in python3 /usr/bin/python3 none; do
  "$python" -c 'import pytest, pytest_benchmark' 2>/dev/null && break
done
[[ $python != none ]] || skip 'python3-pytest-benchmark is not installed'
cat >test_work.py <<'PY'
def step(i):
    return i * i
def work(n):
    return sum(map(step, range(n)))
def test_one(benchmark):
    benchmark(work, ONE)
def test_other(benchmark):
    benchmark(work, 300)
PY
cat >conftest.py <<'PY'
from pytest_benchmark import fixture
def pytest_benchmark_update_json(output_json):
    with open("told", "a") as told:
        print(output_json["machine_info"], fixture.compute_timer_precision.__name__, len(output_json["benchmarks"]), file=told)
PY
sed -i.orig 's/ONE/1000/' test_work.py
mk_scenario micro <<YAML
target:
  command: [$python, -m, pytest, -p, no:cacheprovider, -q, test_work.py]
  harness: pytest-benchmark
  pass-env: [PYTHONPATH]
measure: { window: 500ms, budget: 75s }
gates: { "*": 30% }
YAML
cp -r . "$CASE_DIR/base"
sed 's/ONE/60000/' test_work.py.orig >test_work.py
expect 1 run micro --base ../base --runs 3
has "$out" 'REGRESSION micro test_work.py::test_one +'
[[ $(verdicts) == $'test_work.py::test_one regression\ntest_work.py::test_other inconclusive' ]] || { verdicts >&2; fail 'other verdicts'; }
has "$out" 'cause    more work: work (test_work.py:3) costs '
has "$out" 'changed  test_work.py:6: benchmark(work, 1000) -> benchmark(work, 60000)'
[[ $(sort -u told ../base/told) == $'{} pawl_precision 1\n{} pawl_precision 2' ]] || { sort told ../base/told | uniq -c >&2; fail 'other runs'; }
