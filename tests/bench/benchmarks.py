"""The comparisons of benchmarks.sh: builds the programs, runs what is missing, prints what all of it says.

A comparison is one line of results.jsonl: its number, the slow benchmark (0: none), seconds, load, pairs, the benchmarks
that each rule calls slower, and those that pawl left undecided. pawl leaves out benchmarks that are decided, so the
others' rules have the values of at least six pairs. They are kinder to these rules than the tools' own runs, which
measure one side after the other.
"""

import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys

import kept
import neighbours
from rates import ranks_differ, rate

HERE = os.path.dirname(os.path.abspath(__file__))
PAWL = os.environ["PAWL"]
DIR = os.environ["BENCHMARKS_DIR"]
COUNT_AA = int(os.environ.get("BENCHMARKS_AA", 40))
COUNT_SLOWER = int(os.environ.get("BENCHMARKS_SLOWER", 40))
SECONDS = float(os.environ.get("BENCHMARKS_SECONDS", 1100))
FULL = 40
N = 20  # benchmarks of the program, kind by kind
NAMES = [f"{kind}/{times}" for kind in ("hash", "sort", "find", "print", "walk") for times in (1, 2, 3, 4)]
FOUND_LEAST, MEDIAN_MOST_S = 0.9, 60

# What each rule takes for slower, of the values of both sides. None needs the tools themselves.
RULES = {
    "ranks": lambda base, head: ranks_differ(base, head, 0.05) and statistics.median(head) > statistics.median(base),
    "means": lambda base, head: statistics.mean(head) > 1.05 * statistics.mean(base),
    "medians": lambda base, head: statistics.median(head) > 1.05 * statistics.median(base),
}
TITLES = {
    "pawl": "pawl run --base",
    "ranks": "compare.py, benchstat: U test, 5 %",
    "means": "pytest-benchmark: mean:5%",
    "medians": "critcmp: threshold 5 %",
}


def build(name, slower):
    """A project with the program, in a folder of its own."""
    project = os.path.join(DIR, name)
    if os.path.exists(os.path.join(project, "suite")):
        return project
    os.makedirs(os.path.join(project, "scenarios"), exist_ok=True)
    with open(os.path.join(project, "scenarios", "suite.yaml"), "w", encoding="utf-8") as file:
        file.write("target: { command: [./suite], harness: google-benchmark }\n")
    with open(os.path.join(project, "pawl.yaml"), "w", encoding="utf-8") as file:
        file.write("profile: { kinds: [] }\n")
    subprocess.run(["g++", "-O2", f"-DSLOWER={slower}", f'-DBUILD="{name}"', "-o", "suite.new", os.path.join(HERE, "benchmarks.cc"),
                    "-lbenchmark", "-lpthread"], cwd=project, check=True)
    os.rename(os.path.join(project, "suite.new"), os.path.join(project, "suite"))
    return project


def values_of(pairs, name):
    both = [(p["base"][name], p["head"][name]) for p in pairs if p["base"].get(name) and p["head"].get(name)]
    return [base for base, _ in both], [head for _, head in both]


def compare(item):
    base, head = build("base", 0), build(f"head-{item['slower']}", item["slower"])
    out = os.path.join(DIR, "out")
    shutil.rmtree(out, ignore_errors=True)
    item["load"] = os.getloadavg()[0]
    neighbours.start(neighbours.BURNER)
    try:
        done = subprocess.run([PAWL, "run", "suite", "--base", base, "-q", "--no-explain", "--no-profile", "--lock-wait", "10m", "--out", out],
                              cwd=head, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=600)
    finally:
        neighbours.stop()
    if done.returncode not in (0, 1, 3):
        sys.exit(f"benchmarks: pawl run ended with {done.returncode}: {done.stdout}")
    with open(os.path.join(out, "result.json"), encoding="utf-8") as file:
        result = json.load(file)
    scenario = result["scenarios"][0]
    gates = {g["metric"]: g["verdict"] for g in scenario["gates"] if g["metric"] in NAMES}
    if scenario["failure"] or len(gates) != N:
        sys.exit(f"benchmarks: the comparison failed: {scenario['failure'] or done.stdout}")
    item["seconds"], item["pairs"] = result["elapsed_s"], len(scenario["pairs"])
    item["undecided"] = [name for name, verdict in gates.items() if verdict == "inconclusive"]
    item["slow"] = {"pawl": [name for name, verdict in gates.items() if verdict == "regression"]}
    for rule, is_slower in RULES.items():
        item["slow"][rule] = [name for name in NAMES if is_slower(*values_of(scenario["pairs"], name))]
    return item


def plan():
    items = [{"id": f"aa/{i}", "slower": 0} for i in range(COUNT_AA)]
    items += [{"id": f"slower/{i}", "slower": 1 + i % N} for i in range(COUNT_SLOWER)]
    random.Random(7).shuffle(items)
    return items


def found(item, rule):
    return NAMES[item["slower"] - 1] in item["slow"][rule]


def accused(item, rule):
    """The unchanged benchmarks that the rule calls slower."""
    return [name for name in item["slow"][rule] if not item["slower"] or name != NAMES[item["slower"] - 1]]


def table(same, slower):
    print(f"{'':36}{'unchanged: with an alarm':>26}{'+5 %: found':>26}{'with another accused':>26}")
    for rule, title in TITLES.items():
        cells = [rate([bool(accused(i, rule)) for i in same]), rate([found(i, rule) for i in slower]),
                 rate([bool(accused(i, rule)) for i in slower])]
        print(f"{title:36}" + "".join(f"{cell:>26}" for cell in cells))


def show(title, items):
    if items:
        seconds, pairs, load1 = (statistics.median(i[key] for i in items) for key in ("seconds", "pairs", "load"))
        undecided = sum(len(i["undecided"]) for i in items)
        print(f"{title}: {seconds:.1f} s and {pairs:.0f} pairs in the median, {undecided} of {N * len(items)} benchmarks undecided, "
              f"load {load1:.1f} (at most {max(i['load'] for i in items):.1f})")


def limits(same, slower):
    if len(same) < FULL or len(slower) < FULL:
        print(f"\nThe limits count at full size: {FULL} of each.")
        return 0
    alarms, wrong = (sum(bool(accused(i, "pawl")) for i in some) for some in (same, slower))
    hits = [i["seconds"] for i in slower if found(i, "pawl")]
    said = [
        (f"{alarms} of {len(same)} unchanged programs with an alarm, none allowed", not alarms),
        (f"{len(hits)} of {len(slower)} found, {FOUND_LEAST:.0%} needed", len(hits) >= FOUND_LEAST * len(slower)),
        (f"{wrong} of {len(slower)} with another accused, none allowed", not wrong),
        (f"{statistics.median(hits or [1e9]):.1f} s in the median, {MEDIAN_MOST_S} allowed", statistics.median(hits or [1e9]) <= MEDIAN_MOST_S),
    ]
    print()
    for words, good in said:
        print(f"{'ok' if good else 'MISSED':8}{words}")
    return int(not all(good for _, good in said))


def main():
    os.makedirs(DIR, exist_ok=True)
    planned = plan()
    with kept.alone(DIR, "benchmarks"):
        done = kept.go_on(DIR, planned, compare, SECONDS)
    every = [done[i["id"]] for i in planned if i["id"] in done]
    same, slower = ([i for i in every if bool(i["slower"]) == chosen] for chosen in (False, True))
    print(f"A program of {N} benchmarks, beside a neighbour, by pawl and by other rules on the values of the same pairs:\n")
    table(same, slower)
    print()
    show("unchanged", same)
    show("+5 %", slower)
    if len(every) < len(planned):
        print(f"{len(every)} of {len(planned)} comparisons. The same command continues.")
    sys.exit(limits(same, slower))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main()
