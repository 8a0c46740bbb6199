"""The cases of causes.sh: makes the repositories, compares what is missing, prints what all of it says.

A case is one line of results.jsonl: its name, what pawl called it, the cause it named first, and whether that is right.
Each has a folder in repos/, of which the last commit is the plant, and one in reports/, which `pawl run` wrote.
"""

import glob
import hashlib
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

import kept
from rates import rate

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "causes")
sys.path.insert(0, HERE)
from plants import DEBIAN, NEEDS, PLANTS, PYTHON  # noqa: E402

PAWL = os.environ["PAWL"]
DIR = os.path.abspath(os.environ["CAUSES_DIR"])
SECONDS = float(os.environ.get("CAUSES_SECONDS", 7200))
LIMITS = {"named": 0.95, "kind": 0.95}
KINDS = {"work", "slower-per-instruction", "system-calls", "faults", "waiting", "lock", "lost-parallelism", "allocation",
         "start-up", "build", "library", "input"}

GIT = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
       "GIT_AUTHOR_NAME": "A U Thor", "GIT_AUTHOR_EMAIL": "author@example.com", "GIT_AUTHOR_DATE": "1600000000 +0000",
       "GIT_COMMITTER_NAME": "A U Thor", "GIT_COMMITTER_EMAIL": "author@example.com",
       "GIT_COMMITTER_DATE": "1600000000 +0000"}


def run_in(folder, *args, **more):
    done = subprocess.run(args, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, **more)
    if done.returncode:
        sys.exit(f"causes: {' '.join(args)} failed in {folder}:\n{done.stdout}")
    return done.stdout


# -------- repositories


def debian_source(package):
    """The unpacked source, or None where there is none to be had."""
    folder = os.path.join(DIR, "debian", package)
    if not os.path.isdir(folder):
        lists = os.path.join(DIR, "debian", "apt")
        for name in ("lists/partial", "cache/archives/partial"):
            os.makedirs(os.path.join(lists, name), exist_ok=True)
        options = ["-o", f"Dir::Etc::SourceList={lists}/sources.list", "-o", "Dir::Etc::SourceParts=/dev/null",
                   "-o", f"Dir::State::Lists={lists}/lists", "-o", f"Dir::Cache={lists}/cache"]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": 300}
        try:
            if not os.path.exists(f"{lists}/sources.list"):
                # The same mirrors as this machine's packages.
                known = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME) $(COMPONENT)",
                                        "Created-By: Packages"], stdout=subprocess.PIPE, text=True, check=True).stdout
                with open(f"{lists}/sources.list", "w", encoding="utf-8") as file:
                    file.writelines(f"deb-src {line}\n" for line in sorted(set(known.splitlines())))
                subprocess.run(["apt-get", *options, "update"], **quiet, check=True)
            # Debian's patches may be unavailable while the original source is available.
            subprocess.run(["apt-get", *options, "source", "--download-only", package], cwd=lists, **quiet, check=False)
            tarball = sorted(glob.glob(f"{lists}/{package}_*.orig.tar.*"))[0]
            os.makedirs(folder + ".part", exist_ok=True)
            subprocess.run(["tar", "-xf", tarball, "-C", folder + ".part"], **quiet, check=True)
            # Most archives have a folder of their own.
            inside = glob.glob(f"{folder}.part/*")
            os.rename(inside[0] if len(inside) == 1 else folder + ".part", folder)
            shutil.rmtree(folder + ".part", ignore_errors=True)
        except (OSError, IndexError, subprocess.SubprocessError):
            return None
    return folder


def python():
    """A Python that tells perf its functions, by its own path: a shim that looks for it first would be half of the time."""
    found = [shutil.which(f"python3.{minor}") or "" for minor in (12, 13, 14)]
    found += sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.1[2-9]*/bin/python3")))
    for path in filter(None, [sys.executable, *found]):
        said = subprocess.run([path, "-c", "import sys; print(sys.version_info >= (3, 12), sys.executable)"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if said.stdout.startswith("True "):
            return os.path.realpath(said.stdout.split(None, 1)[1].strip())
    return None


def edit(repo, plant, edits):
    for name, old, new in edits:
        path = os.path.join(repo, name)
        if old is None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
            continue
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        if text.count(old) != 1:
            sys.exit(f"causes: {plant['name']}: {name} has {text.count(old)} times, not once:\n{old}")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text.replace(old, new))


def prepare(plant):
    """The repository of a plant, made anew when the plant or its program is another; None where the program is missing."""
    program = plant["program"]
    mine = os.path.join(HERE, program)
    repo = os.path.join(DIR, "repos", plant["name"])
    files = sorted(path for path in glob.glob(f"{mine}/**", recursive=True) if os.path.isfile(path))
    digest = hashlib.sha256(repr(plant).encode())
    for path in files:
        with open(path, "rb") as file:
            digest.update(path.encode() + file.read())
    stamp = digest.hexdigest()
    marker = f"{repo}.made"
    if os.path.exists(marker) and os.path.isdir(repo):
        with open(marker, encoding="utf-8") as file:
            if file.read() == stamp:
                return repo
    shutil.rmtree(repo, ignore_errors=True)
    os.makedirs(os.path.dirname(repo), exist_ok=True)
    if program in NEEDS and not shutil.which(NEEDS[program]):
        return None
    if program in DEBIAN:
        source = debian_source(DEBIAN[program])
        if source is None:
            return None
        shutil.copytree(source, repo, symlinks=True)
    shutil.copytree(mine, repo, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    if program in PYTHON:
        if python() is None:
            return None
        scenario = glob.glob(f"{repo}/scenarios/*.yaml")[0]
        edit(repo, plant, [(os.path.relpath(scenario, repo), "@python@", python())])
    edit(repo, plant, plant.get("before", ()))
    run_in(repo, "git", "init", "-q", "-b", "main", env=GIT)
    run_in(repo, "git", "add", "-A", "-f", env=GIT)
    run_in(repo, "git", "commit", "-qm", "base", env=GIT)
    edit(repo, plant, plant["edits"])
    run_in(repo, "git", "add", "-A", "-f", env=GIT)
    run_in(repo, "git", "commit", "-qm", plant["name"], env=GIT)
    with open(marker, "w", encoding="utf-8") as file:
        file.write(stamp)
    return repo


# -------- comparisons


def plain(function):
    """A name without what compilers and languages put around it."""
    function = (function or "").replace("(anonymous namespace)::", "")
    function = re.sub(r"\[abi:\w+\]|\(.*\)( const)?$", "", function)
    function = re.sub(r"\.(part|isra|constprop|cold|lto_priv|llvm)\b.*$", "", function)
    return function.split("::")[-1].split(".")[-1] if not function.endswith((".sh", ".py")) else function


def verdict_of(scenario):
    if scenario["failure"]:
        return "failed"
    verdicts = {gate["verdict"] for gate in scenario["gates"] if gate["metric"] != "symbols"}
    return next((v for v in ("regression", "inconclusive", "improvement", "not-measured") if v in verdicts), "pass")


def judge(plant, found):
    """Whether the verdict, the function and the kind are what was planted."""
    if not plant["kinds"]:
        found["right"] = found["verdict"] != "regression" and not found["function"] and not found["kind"]
        return
    found["red"] = found["verdict"] == "regression"
    names = plant["names"]
    found["named"] = ("*" in names and bool(found["kind"])) or plain(found["function"]) in names
    found["kind_right"] = found["kind"] in plant["kinds"]


def compare(plant, repo):
    out = os.path.join(DIR, "reports", plant["name"])
    shutil.rmtree(out, ignore_errors=True)
    start = time.monotonic()
    done = subprocess.run(
        [PAWL, "run", "-q", "--json", "--lock-wait", "10m", "--out", out, "--base", "HEAD~1", "--head", "HEAD",
         "--measure-identical"],
        cwd=repo, env={**GIT, "XDG_CACHE_HOME": os.path.join(DIR, "cache")},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=900,
    )
    found = {"name": plant["name"], "pawl": digest_of(PAWL), "seconds": round(time.monotonic() - start, 1),
             "function": None, "kind": None, "place": None, "sentences": []}
    try:
        scenario = json.loads(done.stdout)["scenarios"][0]
    except (ValueError, KeyError, IndexError):
        found.update(verdict="failed", pairs=0, failure=f"status {done.returncode}: {done.stderr[-2000:]}")
        judge(plant, found)
        return found
    causes = scenario.get("causes") or []
    found.update(verdict=verdict_of(scenario), pairs=len(scenario.get("pairs") or []), failure=scenario["failure"],
                 evidence_s=scenario["phases"]["evidence_s"],
                 red_gates=[f"{g['metric']} {g['change_pct']:+.1f} %" for g in scenario["gates"]
                            if g["verdict"] == "regression" and g["change_pct"] is not None],
                 causes=causes, sentences=[cause.get("sentence") for cause in causes])
    if causes:
        found.update({key: causes[0].get(key) for key in ("function", "kind", "place", "changed", "share_pct")})
    judge(plant, found)
    text = subprocess.run([PAWL, "report", "--color", "never", out], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=60)
    if os.path.isdir(out):
        with open(os.path.join(out, "report.txt"), "w", encoding="utf-8") as file:
            file.write(text.stdout)
        for path in glob.glob(f"{out}/**/perf*.data", recursive=True):
            os.unlink(path)
    return found


def digest_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:12]


def load():
    mixed, mine = os.environ.get("CAUSES_MIXED"), digest_of(PAWL)
    found = {item["name"]: item for item in kept.load(DIR) if mixed or item["pawl"] == mine}
    for plant in PLANTS:
        if plant["name"] in found:
            judge(plant, found[plant["name"]])
    return found


def mark(good):
    return "ok   " if good else "WRONG"


def show(plant, found):
    said = f"{found['verdict']:12} {found['pairs']:3} pairs {found['seconds']:6.1f} s"
    named = f"{found['function'] or '-'} ({found['kind'] or '-'})"
    if not plant["kinds"]:
        print(f"{mark(found['right'])}       {plant['name']:28} {said}  harmless; named: {named}")
    else:
        wanted = f"{'|'.join(sorted(plant['names']))} ({'|'.join(sorted(plant['kinds']))})"
        print(f"{mark(found['named'])} {mark(found['kind_right'])} {plant['name']:28} {said}  named: {named}; planted: {wanted}")
    if found["failure"]:
        print(f"            {found['failure']}")
    sys.stdout.flush()


def run(plants, done):
    start, skipped = time.monotonic(), []
    with kept.adding(DIR) as add:
        for plant in plants:
            if plant["name"] in done and not os.environ.get("CAUSES_AGAIN"):
                show(plant, done[plant["name"]])
                continue
            if time.monotonic() - start > SECONDS:
                break
            repo = prepare(plant)
            if repo is None:
                skipped.append(plant["name"])
                wanted = NEEDS.get(plant["program"]) or (
                    "a Python from 3.12 on" if plant["program"] in PYTHON else "the source from Debian")
                print(f"skipped     {plant['name']}: {wanted} is not to be had")
                continue
            done[plant["name"]] = compare(plant, repo)
            add(done[plant["name"]])
            show(plant, done[plant["name"]])
    return skipped


# -------- what they say


def summary(plants, done):
    slow = [(p, done[p["name"]]) for p in plants if p["kinds"] and p["name"] in done]
    harmless = [done[p["name"]] for p in plants if not p["kinds"] and p["name"] in done]
    print(f"\nregressions found         {rate([f['red'] for _, f in slow])}")
    print(f"function named first      {rate([f['named'] for _, f in slow])}")
    print(f"kind right                {rate([f['kind_right'] for _, f in slow])}")
    print(f"both right                {rate([f['named'] and f['kind_right'] for _, f in slow])}")
    print(f"harmless, nothing named   {rate([f['right'] for f in harmless])}")
    print("\nby kind, function and kind right:")
    for kind in sorted({plant["kind"] for plant, _ in slow}):
        mine = [f for p, f in slow if p["kind"] == kind]
        print(f"  {kind:24} {sum(f['named'] for f in mine)}/{len(mine)}  {sum(f['kind_right'] for f in mine)}/{len(mine)}")
    every = [f for _, f in slow] + harmless
    if every:
        print(f"\n{statistics.median(f['pairs'] for f in every):.0f} pairs and {statistics.median(f['seconds'] for f in every):.0f} s "
              f"in the middle, at most {max(f['seconds'] for f in every):.0f} s")
    searched = [f["evidence_s"] for _, f in slow if f.get("evidence_s")]
    if searched:
        print(f"of these the search for the cause took {statistics.median(searched):.0f} s in the middle, at most {max(searched):.1f} s")
    return slow, harmless


def limits(slow, harmless):
    said = [(f"{sum(f['named'] for _, f in slow)} of {len(slow)} functions", [f["named"] for _, f in slow], LIMITS["named"]),
            (f"{sum(f['kind_right'] for _, f in slow)} of {len(slow)} kinds", [f["kind_right"] for _, f in slow], LIMITS["kind"]),
            (f"{sum(f['right'] for f in harmless)} of {len(harmless)} harmless changes", [f["right"] for f in harmless], 1.0)]
    print()
    for words, found, least in said:
        print(f"{'ok' if sum(found) >= least * len(found) else 'MISSED':8}{words}, {100 * least:.0f} % needed")
    return int(any(sum(found) < least * len(found) for _, found, least in said))


def chosen_by(words):
    plants = [p for p in PLANTS if not words or any(w in p["name"] or w == p["program"] for w in words)]
    if not plants:
        sys.exit(f"causes: no plant is called {' or '.join(words)}; see --list")
    return plants


def check_table():
    names = [plant["name"] for plant in PLANTS]
    assert len(set(names)) == len(names), "two plants have one name"
    for plant in PLANTS:
        assert set(plant["kinds"]) <= KINDS, f"{plant['name']}: unknown kind"


def main():
    check_table()
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    plants = chosen_by(words)
    if "--list" in sys.argv:
        for plant in plants:
            print(f"{plant['name']:28} {plant['program']:8} {plant['kind'] or 'harmless':24} {plant['size']:>6}  {plant['what']}")
        return
    os.makedirs(DIR, exist_ok=True)
    if "--prepare" in sys.argv:
        for plant in plants:
            print(f"{plant['name']:28} {prepare(plant) or 'skipped: no source, or no Python'}")
        return
    if not os.access(PAWL, os.X_OK):
        print(f"causes: there is no {PAWL}: build it with 'make'", file=sys.stderr)
        sys.exit(2)
    start = time.monotonic()
    with kept.alone(DIR, "causes"):
        done = load()
        skipped = run(plants, done)
    slow, harmless = summary(plants, done)
    compared = len(slow) + len(harmless)
    print(f"{compared} of {len(PLANTS)} cases; {time.monotonic() - start:.0f} s this time")
    if compared + len(skipped) < len(plants):
        print("The time is over. The same command goes on from here.")
    if compared + len(skipped) < len(PLANTS):
        print("The limits count when all cases were compared.")
        return
    sys.exit(limits(slow, harmless))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main()
