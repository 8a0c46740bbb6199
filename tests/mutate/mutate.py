#!/usr/bin/env python3
"""Whole files that pawl reads, damaged in every way, through every command that reads them.

  mutate.py [--inputs N] [--seed S] [--only I] [--jobs N] [--kept]

Results, baselines, scenarios, pawl.yaml, folded stacks, text of perf
script and perf.data are taken from tests/ and from short runs made now, mutated, and given to
$PAWL, most of them through the program of serve.c, $PAWL_SERVE, where there is one. A crash, a
sanitizer's report, a leak, a hang, a status that is not documented, an error without words, or output
that is not what its format promises ends with status 1. What failed is kept in build/mutate/SEED-I/.
With --kept only files of the repository are taken, and input I of seed S is the same every time.
"""

import argparse
import json
import lzma
import multiprocessing
import os
import random
import re
import resource
import select
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAWL = os.environ.get("PAWL", str(ROOT / "build/san/pawl"))
SERVE = os.environ.get("PAWL_SERVE")
KEPT = ROOT / "build/mutate"
CPU_SECONDS = 20
LEAKS_EVERY = 25
LARGEST = 2 << 20  # of a mutated file
WALL_SECONDS = 300
OUTPUT_MOST = 64 << 20
REPORTS = ["text", "markdown", "html", "json", "junit"]
PICTURES = ["svg", "folded", "json", "top", "firefox"]

# -------- values that are put into files

HOSTILE = [
    "", " ", "\n", "\x1b[2J", "\x07", "\x00", "\u0085", "\u202e", "\u3164", "\u00a0::error::x", "\u3000::stop-commands::x",
    "::error file=a::b", "##[error]x", "\n::warning::x", "<script>alert(1)</script>", "</style><b>", "]]>", "<!--", "&lt;",
    "@everyone", "|", "`", "```\n", "a" * 5000, "\u00fc" * 300, "%s%n%d", "../../../etc/passwd", "/", "-", "$(id)", "'", '"',
    "\\", "[unknown]", "NaN", "0x10", "1e999", "-0", "2026-11-22T08:00:00Z", "\U000e0041\ufe0f", ";", "a;b 3",
]
NUMBERS = [
    "0", "-0", "1", "-1", "2", "3", "0.5", "1e-320", "5e-324", "1e308", "-1e308", "1e309", "-1e999", "127", "128", "255", "256",
    "32767", "65536", "2147483647", "2147483648", "4294967295", "4294967296", "9007199254740992", "9007199254740993",
    "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "1e19", "NaN", "Infinity",
]
WORDS = [b"null", b"true", b"{", b"}", b"[", b"]", b'"', b",", b":", b"- ", b"? ", b"| ", b"&a ", b"*a ", b"!!x ", b"#", b"\n", b"\t",
         b"\r\n", b"\x00", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\\u0000", b"\\ud800", b";", b" ", b"    ", b"%"]


class Raw(float):
    """A number written as it stands, whatever JSON's own writer would make of it."""

    def __new__(cls, text):
        self = float.__new__(cls, 0)
        self.text = text
        return self

    def __repr__(self):
        return self.text


def dump(value):
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(k) + ":" + dump(v) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dump, value)) + "]"
    return value.text if isinstance(value, Raw) else json.dumps(value)


def paths(value, at=()):
    yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from paths(item, at + (key,))


def get(tree, path):
    for key in path:
        tree = tree[key]
    return tree


def replacement(rng, tree, every, old):
    kind = rng.randrange(4)
    if kind < 2:
        return json.loads(json.dumps(get(tree, rng.choice(every)), default=lambda _: 0))
    if kind == 2:
        deep = old
        for _ in range(rng.choice([1, 2, 40, 400])):
            deep = [deep] if rng.randrange(2) else {"a": deep}
        return deep
    return rng.choice([None, True, False, [], {}, "", "x", Raw(rng.choice(NUMBERS)), rng.choice(HOSTILE), [None], {"": None}])


def same_type(rng, old):
    """What is most likely read: it is wrong in its meaning alone."""
    if isinstance(old, bool):
        return not old
    if isinstance(old, (int, float)):
        return Raw(rng.choice([rng.choice(NUMBERS), repr(old * 1000), repr(old / 1000), repr(old + 1), repr(-old), repr(int(old))]))
    if isinstance(old, str):
        hostile = rng.choice(HOSTILE)
        return rng.choice([hostile, old + hostile, hostile + old, old[: rng.randrange(len(old) + 1)], old * 2])
    if isinstance(old, list):
        return rng.choice([old[: rng.randrange(len(old) + 1)], old + old[-1:], old[::-1], []])
    return old


def mutate_json(rng, tree):
    every = list(paths(tree))
    path = rng.choice(every)
    if not path:
        return tree
    parent, key = get(tree, path[:-1]), path[-1]
    if rng.randrange(4):
        parent[key] = same_type(rng, parent[key])
        return tree
    kind = rng.randrange(8)
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(parent, list):
        parent[key:key] = [parent[key]] * rng.choice([1, 2, 100])
    elif kind == 1:
        parent[rng.choice(HOSTILE + [str(key) + "x", str(key).upper()])] = parent[key]
    elif kind == 2 and isinstance(parent, list):
        rng.shuffle(parent)
    elif kind == 3 and isinstance(parent[key], list):
        del parent[key][rng.randrange(len(parent[key]) + 1):]
    else:
        parent[key] = replacement(rng, tree, every, parent[key])
    return tree


def mutate_bytes(rng, data):
    at = rng.randrange(len(data) + 1)
    until = min(len(data), at + rng.choice([1, 1, 2, 4, 16, 200, 5000]))
    kind = rng.randrange(8)
    if kind == 0:
        return data[:at] + data[until:]
    if kind == 1:
        return data[:until] + data[at:until] * rng.choice([1, 2, 50]) + data[until:]
    if kind == 2 and data:
        at = rng.randrange(len(data))
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]
    if kind == 3:
        return data[:at] + rng.choice(WORDS) + data[at:]
    if kind == 4:
        return data[:at]
    if kind == 5:
        return data[:at] + rng.choice(HOSTILE).encode() + data[at:]
    if kind == 6:
        return data[:at] + bytes(rng.randrange(256) for _ in range(until - at)) + data[until:]
    other = rng.randrange(len(data) + 1)
    return data[:at] + data[other:other + until - at] + data[until:]


def mutate_text(rng, data):
    lines = data.split(b"\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(9)
    numbers = list(re.finditer(rb"[0-9][0-9.]*", data))
    words = list(re.finditer(rb"[A-Za-z_][A-Za-z0-9_-]*", data))
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines[at:at] = [lines[at]] * rng.choice([1, 3, 300])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        lines[at] = b" " * rng.randrange(1, 5) + lines[at]
    elif kind == 4:
        lines[at] = lines[at].lstrip()
    elif kind == 5 and numbers:
        found = rng.choice(numbers)
        return data[:found.start()] + rng.choice(NUMBERS).encode() + data[found.end():]
    elif kind == 6 and words:
        found = rng.choice(words)
        return data[:found.start()] + rng.choice([rng.choice(words).group(), rng.choice(HOSTILE).encode()]) + data[found.end():]
    elif kind == 7:
        lines[at] = lines[at] + b" " + rng.choice(HOSTILE).encode()
    else:
        return mutate_bytes(rng, data)
    return b"\n".join(lines)


def mutate(rng, kind, data):
    """Some files stay whole: what reads them must work at all."""
    times = rng.choice([0, 1, 1, 1, 2, 3, 6]) if rng.randrange(50) else 0
    if kind in ("result", "baseline") and rng.randrange(5):
        tree = json.loads(data)
        for _ in range(times):
            changed = mutate_json(rng, tree)
            if sum(1 for _ in paths(changed)) > 100000:
                break
            tree = changed
        return dump(tree).encode("utf-8", "surrogatepass")
    step = mutate_bytes if kind == "perfdata" else mutate_text
    for _ in range(times):
        data = step(rng, data)[:LARGEST]
    return data


# -------- rules for output

HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]")


def check_plain(text, annotated=False):
    """Nothing a terminal or GitHub's log would obey. ANNOTATED: pawl's own commands may stand there."""
    found = HIDDEN.search(text)
    if found:
        return f"raw {found.group()!r} behind {text[max(0, found.start() - 40):found.start()]!r}"
    for line in text.split("\n"):
        if "##[" in line:
            return f"a command for GitHub's log: {line[:200]!r}"
        if line.lstrip().startswith("::") and not (annotated and re.match(r"::(error|warning|group|endgroup)\b", line)):
            return f"a command for GitHub's log: {line[:200]!r}"
    return None


class Balance(HTMLParser):
    VOID = {"meta", "link", "br", "hr", "img", "input", "col", "wbr", "rect", "path", "line", "circle"}

    def __init__(self):
        super().__init__()
        self.open, self.fault, self.names = [], None, set()

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.names.add(tag)

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.fault = self.fault or f"</{tag}> closes nothing"


def check_html(text):
    balance = Balance()
    balance.feed(text)
    balance.close()
    if balance.open:
        return f"<{balance.open[-1]}> is not closed"
    if balance.names & {"script", "iframe", "img", "object"}:
        return f"elements nobody wrote: {balance.names}"
    return balance.fault


def refuse(constant):
    raise ValueError(f"{constant} is no JSON")


def check_output(form, text):
    try:
        if form in ("json", "firefox"):
            json.loads(text, parse_constant=refuse)
        elif form in ("junit", "svg"):
            xml.etree.ElementTree.fromstring(text.encode())
        elif form == "html":
            return check_html(text) or check_plain(text)
        elif form == "folded":
            for line in text.splitlines():
                if not re.fullmatch(r".* [0-9]+(\.[0-9]+)?", line):
                    return f"no folded line: {line[:200]!r}"
        return check_plain(text)
    except (ValueError, xml.etree.ElementTree.ParseError) as fault:
        return f"invalid {form}: {fault}"


# -------- commands


class World:
    """A project of its own for each worker, with what the files go into."""

    def __init__(self, folder, seeds):
        self.folder, self.seeds, self.server = folder, seeds, None
        self.project = folder / "project"
        self.env = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder / "tmp"), "XDG_RUNTIME_DIR": str(folder / "tmp"),
            "LC_ALL": "C.UTF-8", "TERM": "dumb", "PAWL_LOCK": "inherited", "GIT_CONFIG_NOSYSTEM": "1",
            "ASAN_OPTIONS": "detect_leaks=1:exitcode=99:allocator_may_return_null=0",
            "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1:exitcode=99",
        }
        (folder / "tmp").mkdir()
        (self.project / "scenarios").mkdir(parents=True)

    def write(self, path, data):
        path = self.project / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return str(path)

    def run(self, args, github=False):
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))

        env = {**self.env, "GITHUB_ACTIONS": "true"} if github else self.env
        return subprocess.run([PAWL, *args], cwd=self.project, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=WALL_SECONDS, preexec_fn=limit)

    def ask(self, line):
        """What the server answers, or None when it is no more."""
        if not self.server:
            self.server = subprocess.Popen([SERVE, str(self.folder)], cwd=self.project, env=self.env, stdin=subprocess.PIPE,
                                           stdout=subprocess.PIPE)
        self.server.stdin.write(line.encode() + b"\n")
        self.server.stdin.flush()
        if not select.select([self.server.stdout], [], [], WALL_SECONDS)[0]:
            self.server.kill()
            raise subprocess.TimeoutExpired(SERVE, WALL_SECONDS)
        return self.server.stdout.readline().strip().decode() or None

    def serve(self, args, github):
        """As run() does, in one process for many commands."""
        answer = self.ask("\x1f".join([str(int(github)), *args]))
        status = int(answer) if answer else self.server.wait()
        if not answer:
            self.server = None
        return subprocess.CompletedProcess(args, status, *((self.folder / name).read_bytes() for name in ("out", "err")))

    def leaks(self):
        """Whether something leaked in the server, which is then no more."""
        if not self.server or self.ask("") == "0":
            return False
        self.server.kill()
        self.server.wait()
        self.server = None
        return True


def fault_of(done, allowed, form, github):
    errors = done.stderr.decode("utf-8", "replace")
    for mark in ("AddressSanitizer", "LeakSanitizer", "runtime error:"):
        if mark in errors:
            return mark
    if done.returncode not in allowed:
        return f"status {done.returncode}, of {sorted(allowed)}"
    if len(done.stdout) > OUTPUT_MOST:
        return f"{len(done.stdout)} bytes of output"
    if done.returncode in (2, 3) and not done.stdout and not errors.strip():
        return "an error without words"
    for name, data in (("standard output", done.stdout), ("standard error", done.stderr)):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as fault:
            return f"{name}: {fault}"
        if name == "standard error":
            fault = check_plain(text, github)
        else:
            fault = check_output(form, text) if text else None
        if fault:
            return f"{name}: {fault}"
    return None


JUDGED = {0, 1, 2, 3, 4}
LOOKED = {0, 2}


def use_result(rng, world, data):
    path = world.write("mutated.json", data)
    other = world.write("other.json", rng.choice(world.seeds["result"]))
    form = rng.choice(REPORTS)
    kind = rng.randrange(12)
    if kind < 7:
        return ["report", path, "--format", form] + rng.choice([[], [], ["-v"], ["--strict"]]), JUDGED, form
    if kind < 9:
        return ["compare", *rng.choice([(path, other), (other, path), (path, path)]), "--format", form], JUDGED, form
    if kind == 9:
        return ["report", path, other, "--format", form], JUDGED, form
    shutil.rmtree(world.project / "baselines", ignore_errors=True)
    return ["baseline", "update", "--from", path, "--reason", "r", "--force"], {0, 2, 3}, "text"


def use_baseline(rng, world, data):
    try:
        tree = json.loads(data)
        name, machine = tree.get("scenario"), tree.get("class", "x")
    except (ValueError, AttributeError):
        name, machine = None, "x"
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,60}", name):
        name = "gzip"
    if not isinstance(machine, str) or not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,100}", machine):
        machine = "x"
    shutil.rmtree(world.project / "baselines", ignore_errors=True)
    world.write(f"baselines/{name}/{machine}.json", data)
    kind = rng.randrange(10)
    if kind < 3:
        return ["baseline", "show", name] + rng.choice([[], ["--json"]]), LOOKED, None
    if kind < 5:
        return ["baseline", "list"] + rng.choice([[], ["--json"]]), LOOKED, None
    if kind < 7:
        return ["check"], LOOKED, "text"
    return ["baseline", "diff"] + rng.choice([[], ["--json"]]), LOOKED, None


def use_run(rng, world, data):
    """Judged against what is stored: a real run, and therefore few of them."""
    tree = json.loads(rng.choice(world.seeds["fresh baseline"]))
    for _ in range(rng.choice([1, 2, 4])):
        tree = mutate_json(rng, tree)
    shutil.rmtree(world.project / "baselines", ignore_errors=True)
    world.write(f"baselines/quick/{world.seeds['class']}.json", dump(tree).encode())
    world.write("scenarios/quick.yaml", QUICK)
    return ["run", "quick", "--out", str(world.folder / "out"), "--no-confirm"], JUDGED, "text"


def use_scenario(rng, world, data):
    if rng.randrange(4) == 0:
        world.write("pawl.yaml", data)
        world.write("scenarios/quick.yaml", QUICK)
    else:
        world.write("scenarios/mutated.yaml", data)
    return rng.choice([["check"], ["list"], ["list", "--json"], ["check", "scenarios/mutated.yaml"]]), LOOKED, None


def use_profile(rng, world, data):
    path = world.write("stacks", data)
    other = world.write("other.stacks", rng.choice(world.seeds["folded"] + world.seeds["script"]))
    form = rng.choice(PICTURES)
    extra = rng.choice([[], [], ["--diff", other], ["--title", "T <1>"]])
    if rng.randrange(8) == 0:
        path, extra = other, ["--diff", path]
    return ["flamegraph", path, "--format", form, *extra], {0, 2, 3}, form


QUICK = b"version: 1\ntarget: { command: 'true' }\nmeasure: { runs: 3, budget: 2s }\nprofile: { kinds: [] }\ngates: { page-faults: +50%, task-clock: +50% }\n"

# Kind of file: (weight, function that uses it).
KINDS = {
    "result": (40, use_result), "baseline": (20, use_baseline), "scenario": (18, use_scenario), "folded": (9, use_profile),
    "script": (9, use_profile), "perfdata": (2, use_profile), "fresh baseline": (0.5, use_run),
}


def one(world, seed, index, serve=False):
    """Returns the command's status, and what was wrong with it or None."""
    rng = random.Random(f"{seed}:{index}")
    kinds = [kind for kind in KINDS if world.seeds.get(kind)]
    kind = rng.choices(kinds, [KINDS[kind][0] for kind in kinds])[0]
    data = mutate(rng, kind, rng.choice(world.seeds[kind]))
    shutil.rmtree(world.project / "scenarios", ignore_errors=True)
    (world.project / "pawl.yaml").unlink(missing_ok=True)
    (world.project / "scenarios").mkdir()
    args, allowed, form = KINDS[kind][1](rng, world, data)
    form = form or ("json" if "--json" in args else "text")
    github = rng.randrange(4) == 0
    # Commands that start processes need a process of their own.
    serve = serve and args[0] != "run" and args[:2] != ["baseline", "update"]
    try:
        done = (world.serve if serve else world.run)(args, github)
        fault = fault_of(done, allowed, form, github)
        said = done.stderr.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        done, fault, said = None, f"not done after {WALL_SECONDS} s", ""
    if not fault:
        return done.returncode, None
    kept = KEPT / f"{seed}-{index}"
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(world.project, kept, symlinks=True)
    return None, f"FAIL  seed {seed}, input {index} ({kind}): {fault}\n      pawl {' '.join(args)}\n" + "".join(
        f"      | {line}\n" for line in said.splitlines()[:30]) + f"      its files are in {kept.relative_to(ROOT)}"


def work(job):
    numbers, seed, seeds, folder = job
    sys.setrecursionlimit(100000)
    world = World(Path(folder), seeds)
    make_repository(world)
    statuses = []
    for index in numbers:
        status, words = one(world, seed, index, bool(SERVE))
        statuses.append(status)
        if len(statuses) % LEAKS_EVERY == 0 and world.leaks():
            again = [one(world, seed, i)[1] for i in numbers[len(statuses) - LEAKS_EVERY:len(statuses)]]
            words = words or next(filter(None, again), f"FAIL  seed {seed}: one of the {LEAKS_EVERY} inputs before {index} leaks")
            statuses[-1] = None
        if len(statuses) % 1000 == 0:
            print(f"      {len(statuses)} of a worker's {len(numbers)}", flush=True)
        if words:
            print(words, flush=True)
    return statuses


# -------- files to mutate


def make_repository(world):
    world.write("scenarios/quick.yaml", QUICK)
    for number, text in enumerate(world.seeds["baseline"][:1] * 2):
        tree = json.loads(text)
        world.write(f"baselines/{tree['scenario']}/{tree['class'] if 'class' in tree else 'x'}.json", text + b"\n" * number)
        world.write("n", b"%d" % number)
        for args in (["init", "-q"], ["config", "user.email", "t@example.com"], ["config", "user.name", "T"], ["add", "-A"],
                     ["commit", "-qm", "n"]):
            subprocess.run(["git", *args], cwd=world.project, env=world.env, check=True)


def read_all(*patterns):
    files = [path for pattern in patterns for path in sorted(ROOT.glob(pattern)) if path.is_file()]
    return [lzma.open(path).read() if path.suffix == ".xz" else path.read_bytes() for path in files]


def valid(texts):
    good = []
    for text in texts:
        try:
            json.loads(text)
            good.append(text)
        except ValueError:
            pass
    return good


def heads(texts, most=20000):
    return [text[:text.rfind(b"\n", 0, most) + 1] if len(text) > most else text for text in texts]


def fresh(world, seeds):
    """Short real runs; what this machine cannot do is left out."""
    world.write("scenarios/quick.yaml", QUICK.replace(b"kinds: []", b"kinds: [cpu], duration: 1s"))
    made = world.run(["run", "quick", "--out", "stored"])
    if made.returncode == 0:
        seeds["result"].append((world.project / "stored/result.json").read_bytes())
        world.run(["baseline", "update", "--from", "stored", "--force", "--reason", "r"])
        for path in (world.project / "baselines").glob("quick/*.json"):
            seeds["fresh baseline"], seeds["class"] = [path.read_bytes()], path.stem
            seeds["baseline"].append(path.read_bytes())
    made = world.run(["ab", "true", "/bin/true", "--budget", "2s", "--out", "paired"])
    if (world.project / "paired/result.json").exists():
        seeds["result"].append((world.project / "paired/result.json").read_bytes())
    record = ["perf", "record", "-q", "-e", "cpu-clock", "-g", "-o", "perf.data", "sh", "-c", "seq 300000 | sort | tail -n 1"]
    if shutil.which("perf") and subprocess.run(record, cwd=world.project, capture_output=True).returncode == 0:
        seeds["perfdata"] = [(world.project / "perf.data").read_bytes()]


def collect():
    seeds = {
        "result": valid(read_all("tests/fuzz/corpus/result/*", "tests/fixtures/result.json")),
        "baseline": valid(read_all("tests/fuzz/corpus/baseline/*", "baselines/*/*.json")),
        "scenario": read_all("tests/fuzz/corpus/scenario/*", "scenarios/*.yaml",
                             "scenarios/servers/*.yaml", "share/demo/*.yaml"),
        "folded": heads(read_all("tests/fuzz/corpus/folded/*", "tests/fixtures/profiles/*.folded", "baselines/*/*.folded")),
        "script": heads(read_all("tests/fuzz/corpus/script/*", "tests/fixtures/profiles/*.txt*", "tests/fixtures/perf-traps/*.txt")),
        "class": "x",
    }
    # The first byte of a file of the corpus is the size of its pieces.
    seeds["script"] = [text[1:] for text in seeds["script"]]
    return seeds


def main():
    sys.setrecursionlimit(100000)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--kept", action="store_true")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    numbers = [options.only] if options.only is not None else range(options.inputs)
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pawl-mutate.") as temporary:
        work_folder = Path(temporary)
        (work_folder / "fresh").mkdir()
        seeds = collect()
        if not options.kept:
            fresh(World(work_folder / "fresh", seeds), seeds)
        print(f"seed {seed}: {len(numbers)} inputs of {sum(len(v) for k, v in seeds.items() if k != 'class')} files", flush=True)
        jobs = []
        for job in range(options.jobs):
            folder = work_folder / str(job)
            folder.mkdir()
            jobs.append((numbers[job::options.jobs], seed, seeds, str(folder)))
        with multiprocessing.Pool(options.jobs) as pool:
            statuses = sum(pool.map(work, jobs, chunksize=1), [])
    failed = statuses.count(None)
    print(f"{len(numbers)} inputs: {statuses.count(2)} refused, {len(numbers) - statuses.count(2) - failed} read, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
