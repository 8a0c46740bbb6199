"""The comparisons of verdicts.sh: makes the programs' inputs, runs what is missing, prints what all of it says.

A comparison is one line of results.jsonl: its number, program, injected slowdown, neighbour, and per way of comparing
whether it called a regression, how many runs it took and how long.
"""

import json
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import time

import kept
import neighbours
from rates import rank_p, rate

PAWL = os.environ["PAWL"]
DIR = os.environ["VERDICTS_DIR"]
COUNT_AA = int(os.environ.get("VERDICTS_AA", 200))
COUNT_INJECTED = int(os.environ.get("VERDICTS_INJECTED", 30))
PEERS_AA = int(os.environ.get("VERDICTS_PEERS_AA", 60))
PEERS = int(os.environ.get("VERDICTS_PEERS", 20))
TURNS = int(os.environ.get("VERDICTS_TURNS", 10))
COUNT_BUSY = int(os.environ.get("VERDICTS_BUSY", 9))
SECONDS = float(os.environ.get("VERDICTS_SECONDS", 1100))
INJECTED = (0, 2, 3, 5, 10)
FULL_AA, FULL_INJECTED = 200, 30
FALSE_MOST = 0
# (method, injected work in percent): the least number of FULL_INJECTED that must be called a regression. pawl_1, which
# must catch +2 %, runs with a limit of 1 %.
CAUGHT_LEAST = {("pawl_1", 2): 27, ("pawl", 3): 29, ("pawl", 5): 29, ("pawl", 10): 30}
# Largest time of the median comparison, as a share of one that takes turns.
TIME_MOST = 1 / 3

WANTED_MS = 75
THRESHOLD = 1.05  # of people who read two means, or two medians
BLOCK = 10
LEVEL = 0.01  # of the rank test
QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

# The interpreter itself: a shim that looks it up would take half of the time.
PYTHON = sys.executable
# Random hashing changes the number of instructions from run to run. pawl does not pass this variable on by itself.
SEEDED = "env PYTHONHASHSEED=0 "


# -------- programs, whose work grows with a size


def words(size):
    """Text that compresses like text, the same for every run."""
    rng = random.Random(1)
    known = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(3000)]
    out, length = [], 0
    while length < size:
        out.append(known[min(int(rng.expovariate(1 / 300)), 2999)])
        length += len(out[-1]) + 1
    return " ".join(out)[:size].encode()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def packed(tool, flags):
    def make(path, size):
        data = subprocess.run([tool, *flags, "-c"], input=words(size), stdout=subprocess.PIPE, check=True).stdout
        write(path, data)

    return make


# Most of the input is one small file, hashed many times. The time to read a large file varies by more than 2 % with the
# placement of its pages, so the time of one larger file would not grow with its size.
CHUNK, CHUNKS = 1 << 20, 20


def make_raw(path, size):
    if not os.path.exists(os.path.join(DIR, "chunk")):
        write(os.path.join(DIR, "chunk"), words(1 << 16) * (CHUNK >> 16))
    write(path, (words(1 << 16) * (1 + size // (1 << 16)))[: max(size - CHUNK * CHUNKS, 0)])


def make_words(path, size):
    write(path, words(size))


def make_sql(path, size):
    rows = f"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT {size})"
    query = rows + " SELECT sum(x * x % 7) FROM c;"
    write(path, query.encode())


def make_numbers(path, size):
    write(path, "".join(f'{{"a":{i},"b":"{i % 13}"}}\n' for i in range(size)).encode())


def make_loop(path, size):
    write(path, f"s = 0\nfor i in range({size}):\n    s += i * i % 7\n".encode())


# name: (command, function that makes its input, first size)
PROGRAMS = {
    "xz": ("xz -t {}", packed("xz", ["-6"]), 6_000_000),
    "gzip": ("gzip -t {}", packed("gzip", ["-6"]), 12_000_000),
    "sqlite3": ('sqlite3 :memory: ".read {}"', make_sql, 250_000),
    "python3": (SEEDED + PYTHON + " -S {}", make_loop, 700_000),
    "jq": ('jq "select(.a < 0)" {}', make_numbers, 60_000),
    "openssl": ("openssl dgst -sha3-256" + CHUNKS * f" {DIR}/chunk" + " {}", make_raw, 25_000_000),
}
# Compared while two busy loops run, with 10 % more to compress.
COMPRESSORS = {
    "gzip -c": ("gzip -6 -c {}", make_words, 2_000_000),
    "xz -c": ("xz -1 -c {}", make_words, 1_000_000),
    "lz4 -c": ("lz4 -9 -c {}", make_words, 2_000_000),
}
BUSY_PERCENT = 10
ALL = {**PROGRAMS, **COMPRESSORS}
SUFFIX = {"xz": ".xz", "gzip": ".gz"}


def input_path(program, percent):
    return os.path.join(DIR, f"{program.replace(' ', '')}-{percent}{SUFFIX.get(program, '')}")


def command(program, percent):
    return ALL[program][0].replace("{}", input_path(program, percent))


def argv(program, percent):
    """As a shell would split it; the commands quote nothing else."""
    out, quoted = [], command(program, percent).split('"')
    for i, part in enumerate(quoted):
        out += [part] if i % 2 else part.split()
    return out


def cpu_ms(args):
    """CPU time of one run."""
    child = subprocess.Popen(args, **QUIET)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"verdicts: {args} failed with {child.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def instructions(args):
    """Simulated: they repeat almost to the instruction."""
    said = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--trace-children=yes", "--cache-sim=no", "--cachegrind-out-file=/dev/null", *args],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True,
    ).stderr
    line = next(line for line in said.splitlines() if "I " in line and "refs:" in line)
    return int(line.split(":")[1].replace(",", ""))


def prepare_program(program):
    """Inputs of WANTED_MS, and of so many percent more instructions; what they came to be."""
    _, make, size = ALL[program]

    def count(percent, wanted):
        make(input_path(program, percent), wanted)
        return instructions(argv(program, percent))

    make(input_path(program, 0), size)
    size = int(size * WANTED_MS / min(cpu_ms(argv(program, 0)) for _ in range(5)))
    base = count(0, size)
    slope = (count("more", size + size // 4) - base) / (size // 4)
    os.unlink(input_path(program, "more"))
    found = {"size": size, "instructions": base, "injected": {}}
    for percent in INJECTED[1:] if program in PROGRAMS else (BUSY_PERCENT,):
        grown = count(percent, size + round(base * percent / 100 / slope))
        found["injected"][percent] = round(100 * (grown / base - 1), 3)
        if abs(found["injected"][percent] - percent) > (0.1 if program in PROGRAMS else 1):
            sys.exit(f"verdicts: {program} does {found['injected'][percent]} % more work, not {percent} %; run again")
    return found


def prepare():
    """Once a folder: going on must compare the same things."""
    path = os.path.join(DIR, "programs.json")
    found = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    for program in ALL:
        if program not in found:
            found[program] = prepare_program(program)
            print(f"verdicts: {program} is ready: {found[program]}", file=sys.stderr)
            write(path, json.dumps(found, indent=1).encode())
    return found


# -------- methods: each returns whether it called a regression, and its runs


def by_pawl(program, percent, *options):
    done = subprocess.run(
        [PAWL, "ab", "-q", "--json", "--lock-wait", "10m", "--out", os.path.join(DIR, "out"), *options,
         "--metric", "task-clock", command(program, 0), command(program, percent)],
        cwd=DIR, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=300,
    )
    if done.returncode not in (0, 1, 3):
        sys.exit(f"verdicts: pawl ab ended with {done.returncode}")
    result = json.loads(done.stdout)
    scenario = result["scenarios"][0]
    if scenario["failure"]:
        sys.exit(f"verdicts: pawl ab could not compare {command(program, 0)}: {scenario['failure']}")
    gate = next(g for g in scenario["gates"] if g["metric"] == "task-clock")
    pairs = len(scenario["pairs"])
    return {"regressed": gate["verdict"] == "regression", "verdict": gate["verdict"], "pairs": pairs,
            "runs": 2 * pairs * scenario["pairing"]["batch"], "change_pct": gate["change_pct"],
            "way": scenario["pairing"]["way"], "seed": scenario["pairing"]["seed"], "seconds": result["elapsed_s"]}


def by_hyperfine(program, percent):
    path = os.path.join(DIR, "hyperfine.json")
    subprocess.run(["hyperfine", "-N", "--style", "none", "--export-json", path,
                    command(program, 0), command(program, percent)],
                   **QUIET, check=True, timeout=300)
    with open(path, encoding="utf-8") as file:
        base, head = json.load(file)["results"]
    return {"regressed": head["mean"] > base["mean"] * THRESHOLD, "runs": len(base["times"]) + len(head["times"])}


def block(args):
    cpu_ms(args)
    return [cpu_ms(args) for _ in range(BLOCK)]


def by_blocks(program, percent):
    base, head = block(argv(program, 0)), block(argv(program, percent))
    return {
        "medians": {"regressed": statistics.median(head) > statistics.median(base) * THRESHOLD, "runs": 2 * BLOCK},
        "ranks": {"regressed": rank_p(base, head) < LEVEL, "runs": 2 * BLOCK},
    }


def timed(way, *args):
    start = time.monotonic()
    found = way(*args)
    return found, time.monotonic() - start


def compare(item):
    if item["busy"]:
        neighbours.start(neighbours.LOOP, neighbours.LOOP)
    elif item["neighbour"]:
        neighbours.start(neighbours.BURNER)
    try:
        for way in item["ways"]:
            item[way] = by_pawl(item["program"], item["percent"], *PAWL_WAYS[way])
        if item["peers"]:
            found, seconds = timed(by_hyperfine, item["program"], item["percent"])
            item["hyperfine"] = {**found, "seconds": seconds}
            found, seconds = timed(by_blocks, item["program"], item["percent"])
            for way in ("medians", "ranks"):
                item[way] = {**found[way], "seconds": seconds}
    finally:
        neighbours.stop()
    return item


# -------- which comparisons


def spread(total, chosen, i):
    """True for CHOSEN of TOTAL numbers, evenly."""
    return chosen > 0 and (i * chosen) // total != ((i + 1) * chosen) // total


def plan():
    items = []
    for percent in INJECTED:
        total, peers = (COUNT_AA, PEERS_AA) if not percent else (COUNT_INJECTED, PEERS)
        for i in range(total):
            ways = ["pawl"]
            if percent == 2 or spread(total, min(COUNT_INJECTED, total), i):
                ways.append("pawl_1")
            if spread(total, min(TURNS * (1 if percent else 4), total), i):
                ways.append("pawl_turn")
            items.append({"id": f"{percent}/{i}", "percent": percent, "program": list(PROGRAMS)[i % len(PROGRAMS)],
                          "neighbour": bool((i + i // len(PROGRAMS)) % 2), "busy": False, "ways": ways,
                          "peers": spread(total, min(peers, total), i)})
    for i in range(COUNT_BUSY):
        items.append({"id": f"busy/{i}", "percent": BUSY_PERCENT, "program": list(COMPRESSORS)[i % len(COMPRESSORS)],
                      "neighbour": True, "busy": True, "ways": ["pawl"], "peers": False})
    random.Random(7).shuffle(items)
    return items


# -------- output


def mean(values):
    return sum(values) / len(values) if values else math.nan


PAWL_WAYS = {"pawl": [], "pawl_1": ["--limit", "1%"], "pawl_turn": ["--pairs", "in-turn"]}
WAYS = {
    "pawl": "pawl ab",
    "pawl_1": "pawl ab --limit 1%",
    "pawl_turn": "pawl ab --pairs in-turn",
    "hyperfine": "hyperfine, means, 5 %",
    "medians": "medians of 10, 5 %",
    "ranks": "rank test of 10 and 10",
}


def table(items):
    titles = ["unchanged, regressed"] + [f"+{p} %, caught" for p in INJECTED[1:]]
    print(" " * 24 + "".join(f"{title:>23}" for title in titles) + f"{'runs':>8}{'s':>8}{'median s':>10}")
    for way, title in WAYS.items():
        mine = [i for i in items if way in i]
        if not mine:
            continue
        cells = [rate([i[way]["regressed"] for i in mine if i["percent"] == p]) for p in INJECTED]
        runs, seconds = (mean([i[way][key] for i in mine]) for key in ("runs", "seconds"))
        median = statistics.median(i[way]["seconds"] for i in mine)
        print(f"{title:24}" + "".join(f"{cell:>23}" for cell in cells) + f"{runs:8.1f}{seconds:8.1f}{median:10.1f}")


def show_programs(programs):
    print("injected work, by simulated instructions:")
    for name, found in programs.items():
        grown = ", ".join(f"+{p} %: {float(v):+.2f} %" for p, v in found["injected"].items())
        print(f"  {name:8} {found['instructions'] / 1e6:8.1f} M; {grown}")


def verdicts_of(found):
    counts = {}
    for one in found:
        counts[one["verdict"]] = counts.get(one["verdict"], 0) + 1
    return ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))


def show_pairs(items):
    print("\npawl ab by itself:")
    for percent in INJECTED:
        for way in PAWL_WAYS:
            mine = [i[way] for i in items if i["percent"] == percent and way in i]
            if mine:
                pairs, seconds = (statistics.median(one[key] for one in mine) for key in ("pairs", "seconds"))
                print(f"  {f'+{percent} %' if percent else 'unchanged':10}{WAYS[way]:25}{pairs:5.1f} pairs, {seconds:5.1f} s "
                      f"in the middle: {verdicts_of(mine)}")


def show_busy(items):
    for program in COMPRESSORS:
        mine = [i["pawl"] for i in items if i["program"] == program]
        if mine:
            print(f"  {program}, +{BUSY_PERCENT} %, beside two busy loops: {verdicts_of(mine)}; "
                  f"{mean([one['pairs'] for one in mine]):.1f} pairs, {mean([one['seconds'] for one in mine]):.1f} s")


def time_of_turns(items):
    """How much of the time of a comparison that takes turns the median one takes at once, of the same comparisons."""
    both = [i for i in items if "pawl_turn" in i]
    if not both:
        return None
    at_once, in_turn = (statistics.median(i[way]["seconds"] for i in both) for way in ("pawl", "pawl_turn"))
    print(f"  {len(both)} comparisons made both ways: {at_once:.1f} s at once, {in_turn:.1f} s in turn in the middle "
          f"({at_once / in_turn:.2f})")
    return at_once / in_turn


def limits(items, busy):
    part = time_of_turns(items)
    wrongly = sum(i["pawl"]["regressed"] for i in items if not i["percent"])
    counts = [sum(i["percent"] == p for i in items) for p in INJECTED]
    if counts[0] < FULL_AA or min(counts[1:]) < FULL_INJECTED:
        print(f"\nThe limits count at full size: {FULL_AA} unchanged and {FULL_INJECTED} of each slowdown.")
        return 0
    said = [(f"{wrongly} false positives of {counts[0]}, {FALSE_MOST} allowed", wrongly <= FALSE_MOST)]
    for (way, percent), least in CAUGHT_LEAST.items():
        caught = sum(i[way]["regressed"] for i in items if i["percent"] == percent and way in i)
        said.append((f"{caught} caught at +{percent} % by {WAYS[way]}, {least} needed", caught >= least))
    caught = sum(i["pawl"]["regressed"] for i in busy)
    said.append((f"{caught} of {len(busy)} compressors caught beside busy loops, all needed", caught == len(busy)))
    if part is not None:
        said.append((f"{part:.2f} of the time in turn, {TIME_MOST:.2f} allowed", part <= TIME_MOST))
    print()
    for words_said, good in said:
        print(f"{'ok' if good else 'MISSED':8}{words_said}")
    return int(not all(good for _, good in said))


def main():
    os.makedirs(DIR, exist_ok=True)
    start = time.monotonic()
    with kept.alone(DIR, "verdicts"):
        programs, planned = prepare(), plan()
        done = kept.go_on(DIR, planned, compare, SECONDS)
    every = [done[i["id"]] for i in planned if i["id"] in done]
    items, busy = ([i for i in every if i["busy"] == chosen] for chosen in (False, True))
    show_programs(programs)
    for title, chosen in (("all", items), ("quiet", [i for i in items if not i["neighbour"]]),
                          ("beside a neighbour", [i for i in items if i["neighbour"]])):
        if chosen:
            print(f"\n{title}:")
            table(chosen)
    show_pairs(items)
    show_busy(busy)
    print(f"\n{len(every)} of {len(planned)} comparisons; {time.monotonic() - start:.0f} s this time")
    if len(every) < len(planned):
        print("The time is over. The same command goes on from here.")
    sys.exit(limits(items, busy))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main()
