#!/usr/bin/env python3
"""Two programs over everything that is deterministic: they must print and write the same bytes.

  guard.py [--inputs N] [--only WORD] [--keep FOLDER] [--known FILE] [--results FOLDER] BASE HEAD

BASE and HEAD are two builds of pawl. Both get the same commands in the same folder, one after the other:
help, man pages, completions, misuse, scenarios with and without faults, baselines, stored results in every
format, comparisons, profiles in every form, and N files damaged by tests/mutate/mutate.py.
Compared are status, standard output, standard error, and the files that a command wrote. Each difference is
shown with its command; the status is 1 when there is one, and 2 when a program could not be run.

--only keeps the groups whose name holds WORD; --keep leaves what both printed in FOLDER/base and FOLDER/head,
for diff -r; --known remembers in FILE what BASE gave, so that it runs once; --results names
a folder of stored results, as BASE's tests/unit/samples.c writes them. GUARD_RECORDINGS names further folders, separated by colons, whose files are drawn as profiles.
"""

import argparse
import difflib
import hashlib
import json
import lzma
import multiprocessing
import os
import platform
import random
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/mutate"))
sys.dont_write_bytecode = True
import mutate  # noqa: E402

SECONDS = 60  # for one command
SHOWN_LINES = 12  # of a difference
SHOWN = 20  # differences
FORMATS = ["text", "markdown", "html", "json", "junit"]
QUICK = b"version: 1\ntarget: { command: 'true' }\nmeasure: { runs: 3, budget: 2s }\nprofile: { kinds: [] }\ngates: { page-faults: +50% }\n"
GITHUB = {"GITHUB_ACTIONS": "true"}


class Group:
    """A project, and commands that run in it. FILES: its commits, each a dictionary of path to bytes; the last is the
    working tree, without a commit where COMMITTED is false."""

    def __init__(self, name, *files, committed=True):
        self.name, self.files, self.committed, self.commands = name, files or ({},), committed, []

    def add(self, *args, stdin=b"", **env):
        self.commands.append((list(args), env, stdin))

    def parts(self, most=100):
        """So that processors share the long ones."""
        for n in range(0, len(self.commands), most):
            part = Group(f"{self.name}-{n // most + 1}" if len(self.commands) > most else self.name, *self.files, committed=self.committed)
            part.commands = self.commands[n:n + most]
            yield part

    def formats(self, *args, **env):
        for form in FORMATS:
            self.add(*args, "--format", form, **env)


# -------- the commands


def words_group(programs):
    """Commands and options are those that either program tells of."""
    group = Group("words", {"scenarios/wrong.yaml": b"version: 2\n"})
    names = []
    for program in programs:
        help_text = subprocess.run([program, "help", "--all"], capture_output=True, text=True, timeout=SECONDS).stdout
        names += [n for n in re.findall(r"^  ([a-z]+)  ", help_text, re.M) if n not in names]
    for args in ([], ["--help"], ["-h"], ["help"], ["help", "--man"], ["--version"], ["-V"], ["nosuch"], ["--nosuch"], ["help", "nosuch"],
                 ["help", "run", "ab"], ["comapre"], ["-x"], ["--color", "mauve", "check"], ["--color"], ["-q", "-v", "check", "nosuch"]):
        group.add(*args)
    for name in names:
        group.add("help", name)
        group.add("help", name, "--color", "always")
        group.add("help", "--man", name)
        group.add(name, "--help")
        group.add(name, "--nosuch")
        text = subprocess.run([programs[0], "help", "--all", name], capture_output=True, text=True, timeout=SECONDS).stdout
        for option, takes_value in re.findall(r"^ .{2,4}  (--[a-z-]+)( [^ ]|\n)?", text, re.M):
            # These commands stop early: a value is missing, or the last option is unknown.
            if takes_value:
                group.add(name, option)
            for value in ("", "x", "90%"):
                group.add(name, f"{option}={value}", "--nosuch")
            group.add(name, option[:-1], "--nosuch")
    for shell in ("bash", "zsh", "fish", "tcsh", ""):
        group.add("completion", shell)
    for args in (["completion"], ["run"], ["run", "nosuch"], ["run", "a/b.yaml"], ["ab"], ["run", "--base", "nowhere"], ["ab", "true"],
                 ["ab", "--limit", "no", "true", "true"],
                 ["ab", "--limit", "3%"], ["baseline"], ["baseline", "nosuch"], ["baseline", "update"],
                 ["baseline", "show", "../x"], ["baseline", "diff"], ["baseline", "list", "x"], ["compare"], ["compare", "a"],
                 ["compare", "a", "b", "c"], ["report"], ["report", "nowhere"], ["flamegraph"], ["flamegraph", "nowhere"], ["flamegraph", "a", "b"],
                 ["check", "--shard", "3/2"], ["check", "--tag", ""], ["run", "--keep-env", "--attach", "1", "wrong"], ["run", "--attach", "x", "wrong"],
                 ["run", "--no-confirm", "--base", ".", "wrong"], ["calibrate", "wrong"]):
        group.add(*args)
    return group


def scenario_groups():
    shipped = {str(p.relative_to(ROOT)): p.read_bytes() for d in ("scenarios", "baselines", "share/demo") for p in (ROOT / d).rglob("*")
               if p.is_file()}
    before = {path: re.sub(rb'"by": "[^"]*"', b'"by": "somebody"', data, count=1).replace(b'"page-faults": [', b'"page-faults": [1, ')
              if path.endswith("jq-group/" + path.rsplit("/", 1)[-1]) else data for path, data in shipped.items()}
    before = {path: data for path, data in before.items() if "sort-lines" not in path}
    group = Group("shipped", before, shipped)
    for args in (["check"], ["check", "-v"], ["check", "-q"], ["check", "--json"], ["baseline", "list"],
                 ["baseline", "list", "--json"], ["baseline", "diff"], ["baseline", "diff", "--judge", "HEAD~1"],
                 ["baseline", "diff", "--judge", "HEAD~1", "--json"], ["baseline", "diff", "--judge", "nowhere"],
                 ["check", "--judge", "HEAD~1"], ["check", "--judge", "HEAD~1", "--json"], ["baseline", "show"],
                 ["baseline", "show", "--json"], ["baseline", "show", "nosuch"],
                 ["check", "--tag", "server"], ["check", "--tag", "nosuch"]):
        group.add(*args)
    for args in (["check"], ["check", "--json"], ["baseline", "list"]):
        group.add(*args, GITHUB_ACTIONS="true", GITHUB_BASE_REF="main", GITHUB_EVENT_NAME="pull_request")
    for shard in ("1/1", "1/3", "2/3", "3/3", "9/200"):
        group.add("check", "--shard", shard)
        group.add("check", "--shard", shard, "--json")
    for path in sorted(p for p in shipped if p.endswith(".yaml")):
        group.add("check", path)
        group.add("check", "--json", path)
        group.add("baseline", "show", Path(path).stem)
    edited = dict(shipped)
    edited["scenarios/gzip-text.yaml"] += b"# edited\n"
    edited["pawl.yaml"] = b"build: make\n"
    edits = Group("edited", shipped, edited, committed=False)
    for args in (["check", "--judge", "HEAD"], ["check", "--judge", "HEAD", "--json"], ["baseline", "diff"], ["check"]):
        edits.add(*args)
    return [group, edits]


def texts_of_cases():
    """The here documents of the command-line cases that look like a scenario or pawl.yaml."""
    found = {}
    for path in sorted((ROOT / "tests/cli").rglob("*.sh")):
        for n, (call, text) in enumerate(re.findall(r"^(.*)<<'?YAML'?$\n(.*?)^YAML$", path.read_text(), re.M | re.S)):
            text = text if "mk_scenario" not in call else "version: 1\n" + text
            found[f"{path.parent.name}-{path.stem}-{n}"] = text.encode()
    for path in sorted((ROOT / "tests/fuzz/corpus/scenario").iterdir()):
        found[f"corpus-{path.stem}"] = path.read_bytes()
    return found


def faulty_groups():
    one, every, config = Group("yaml"), Group("yaml-together"), Group("yaml-config")
    texts = texts_of_cases()
    one.files = ({f"other/{name}.yaml": text for name, text in texts.items()},)
    every.files = ({f"scenarios/{name}.yaml": text for name, text in texts.items()},)
    for name in texts:
        one.add("check", f"other/{name}.yaml")
    for args in (["check"], ["check", "--json"], ["run"], ["check", *texts]):
        every.add(*args)
    groups = [one, every]
    for name, text in texts.items():
        if re.search(rb"^(build|out|trust|needs):", text, re.M):
            config = Group(f"yaml-config-{name}", {"pawl.yaml": text, "scenarios/quick.yaml": QUICK})
            config.add("check")
            groups.append(config)
    return groups


def stored_results(folder):
    corpus = {f"corpus-{p.name}": p.read_bytes() for p in sorted((ROOT / "tests/fuzz/corpus/result").iterdir())}
    return {p.name: p.read_bytes() for p in sorted(Path(folder).iterdir())} | corpus if folder else corpus


def result_groups(folder):
    results = stored_results(folder)
    groups = []
    for n, (name, data) in enumerate(results.items()):
        group = Group(f"results-{name}", {**results, "pawl-out/latest/result.json": data}, committed=False)
        for extra in ([], ["-v"], ["-q", "--strict"], ["--color", "always"]):
            group.formats("report", name, *extra)
        group.formats("report", name, **GITHUB)
        group.add("report")
        group.add("report", "--json")
        group.add("report", "pawl-out/latest", "-o", "deep/er/report.txt")
        group.add("report", name, "--format", "html", "-o", "report.html")
        group.add("baseline", "update", "--from", name, "--reason", "r", "--force", PAWL_USER="guard")
        group.add("baseline", "update", "--from", name, PAWL_USER="guard")
        for other in list(results)[n % 3::3]:
            group.add("compare", name, other, "--format", FORMATS[len(group.commands) % len(FORMATS)])
        group.add("report", name, other)
        group.add("report", name, other, "--json")
        groups.append(group)
    if not folder:
        return groups
    base, head = json.loads(results["regression.json"]), json.loads(results["profiled.json"])
    group = Group("results-against", {"base.json": json.dumps(base).encode(), "head.json": json.dumps(head).encode()})
    for pair in (("base.json", "head.json"), ("head.json", "base.json")):
        group.formats("compare", *pair)
        group.formats("compare", *pair, "-v", "--strict")
    groups.append(group)
    return groups


def baseline_groups():
    groups = []
    for path in sorted((ROOT / "tests/fuzz/corpus/baseline").iterdir()):
        data = path.read_bytes()
        name, machine = (re.search(rb'"%s": *"([^"]*)"' % key, data) for key in (b"scenario", b"class"))
        place = f"baselines/{name[1].decode() if name else 'x'}/{machine[1].decode() if machine else 'x'}.json"
        group = Group(f"baseline-{path.stem}", {place: data.replace(b"1", b"2")}, {place: data})
        for args in (["check"], ["baseline", "list"], ["baseline", "list", "--json"], ["baseline", "show"], ["baseline", "show", "--json"],
                     ["baseline", "diff"], ["baseline", "diff", "--judge", "HEAD~1"], ["baseline", "diff", "--judge", "HEAD~1", "--json"]):
            group.add(*args)
        groups.append(group)
    return groups


def profile_files():
    found = {}
    for path in sorted([*(ROOT / "tests/fuzz/corpus/folded").iterdir(), *(ROOT / "tests/fixtures/profiles").glob("*.folded")]):
        found[f"folded-{path.name}"] = path.read_bytes()
    for path in sorted([*(ROOT / "tests/fuzz/corpus/script").iterdir(), *(ROOT / "tests/fixtures/profiles").glob("*.txt")]):
        found[f"script-{path.name}"] = path.read_bytes()[1:]
    for path in sorted((ROOT / "baselines").rglob("*.folded")):
        found[f"accepted-{path.parent.name}"] = path.read_bytes()
    folders = [ROOT / "tests/fixtures/perf-script", *map(Path, filter(None, os.environ.get("GUARD_RECORDINGS", "").split(":")))]
    for n, folder in enumerate(folders):
        for path in sorted(p for p in folder.iterdir() if p.is_file() and p.suffix in (".xz", ".txt", ".folded", ".data")):
            found[f"recording{n}-{path.stem}"] = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    return found


def profile_groups():
    groups = []
    files = profile_files()
    names = list(files)
    for n, name in enumerate(names):
        other = names[n - 1]
        large = len(files[name]) > 1 << 20
        group = Group(f"profile-{name}", {name: files[name], "other": files[other]})
        for form in ("svg", "folded", "json", "top"):
            group.add("flamegraph", "--format", form, name)
            if form == "svg" or not large:
                group.add("flamegraph", "--format", form, "--diff", "other", name)
            if not large:
                group.add("flamegraph", "--format", form, "--diff", "other", "--absolute", name, "--base-label", "b <", "--head-label", "h &")
        if not large and n % 4 == 0:
            group.add("flamegraph", name, "-o", "deep/flame.svg")
            group.add("flamegraph", "-", stdin=files[name])
            for extra in (["--event", "cycles"], ["--title", "T <1>"], ["--absolute"], ["--diff", "nowhere"]):
                group.add("flamegraph", name, *extra)
        groups.append(group)
    return groups


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return value


def tier_of_machine(program):
    said = subprocess.run([program, "doctor", "--json"], capture_output=True, text=True, timeout=SECONDS).stdout
    return json.loads(said)["machine"]["tier"]


def damaged_groups(count):
    """Files of mutate.py, with its seed and its commands."""
    seeds = mutate.collect()
    groups = []
    for n in range(0, count, 50):
        group = Group(f"damaged-{n}")
        for index in range(n, min(n + 50, count)):
            rng = random.Random(f"guard:{index}")
            kinds = [k for k in mutate.KINDS if seeds.get(k) and k != "fresh baseline"]
            kind = rng.choices(kinds, [mutate.KINDS[k][0] for k in kinds])[0]
            data = mutate.mutate(rng, kind, rng.choice(seeds[kind]))
            with tempfile.TemporaryDirectory(prefix="pawl-guard.") as folder:
                world = mutate.World(Path(folder), seeds)
                args = mutate.KINDS[kind][1](rng, world, data)[0]
                files = {str(p.relative_to(world.project)): p.read_bytes() for p in world.project.rglob("*") if p.is_file()}
                args = [a.replace(str(world.project), PROJECT) for a in args]
            group.commands.append((args, {**(GITHUB if rng.randrange(4) == 0 else {}), "PAWL_USER": "guard"}, files))
        groups.append(group)
    return groups


# -------- running them

PROJECT = "{project}"


class World:
    """Where both programs run, in turn: what they print may name the folder."""

    def __init__(self, folder):
        self.folder, self.project = folder, folder / "project"
        now = "2026-01-02T03:04:05Z"
        self.env = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp"), "XDG_RUNTIME_DIR": str(folder / "tmp"),
                    "LC_ALL": "C.UTF-8", "TERM": "dumb", "PAWL_LOCK": "inherited", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "Guard",
                    "GIT_AUTHOR_EMAIL": "guard@example.com", "GIT_COMMITTER_NAME": "Guard", "GIT_COMMITTER_EMAIL": "guard@example.com",
                    "GIT_AUTHOR_DATE": now, "GIT_COMMITTER_DATE": now}

    def git(self, *args):
        subprocess.run(["git", "-c", "init.defaultBranch=main", *args], cwd=self.project, env=self.env, check=True, capture_output=True)

    def write(self, files):
        for path, data in files.items():
            path = self.project / path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def make(self, group):
        for name in ("project", "home", "tmp"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            (self.folder / name).mkdir()
        self.git("init", "-q")
        for n, files in enumerate(group.files):
            for path in [p for p in self.listing() if p not in files]:
                (self.project / path).unlink()
            self.write(files)
            if n + 1 < len(group.files) or group.committed:
                self.git("add", "-A")
                self.git("commit", "-q", "--allow-empty", "-m", f"commit {n}")
        self.files = self.listing()

    def renew(self, files):
        """What a command wrote is taken back; the next one finds FILES and nothing else."""
        for path in self.files:
            (self.project / path).unlink()
        for folder, _, _ in os.walk(self.project, topdown=False):
            if folder != str(self.project) and not os.path.relpath(folder, self.project).startswith(".git") and not os.listdir(folder):
                os.rmdir(folder)
        self.write(files)
        self.files = self.listing()

    def listing(self):
        """Their times and sizes, from which it is seen what a command wrote."""
        found = {}
        for folder, folders, names in os.walk(self.project):
            if ".git" in folders:
                folders.remove(".git")
            for name in names:
                path = os.path.join(folder, name)
                state = os.lstat(path)
                found[os.path.relpath(path, self.project)] = (state.st_mtime_ns, state.st_size)
        return found

    def run(self, program, command):
        """What the command printed and wrote."""
        args, env, given = command
        args = [a.replace(PROJECT, str(self.project)) for a in args]
        try:
            done = subprocess.run([program, *args], cwd=self.project, env={**self.env, **env}, input=b"" if isinstance(given, dict) else given,
                                  capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return {"status": f"not done after {SECONDS} s\n".encode()}
        seen = {"status": b"%d\n" % done.returncode, "stdout": done.stdout, "stderr": done.stderr}
        before, self.files = self.files, self.listing()
        for path, state in self.files.items():
            if before.get(path) != state:
                seen["file " + path.replace("/", "|")] = (self.project / path).read_bytes()
        # The durations of phases, printed by --verbose.
        seen["stderr"] = re.sub(rb"(?m)( took )[0-9]+\.[0-9]{2} s$", rb"\1A WHILE", seen["stderr"])
        return {part: self.same_everywhere(data) for part, data in seen.items()}

    def same_everywhere(self, data):
        """The moment and the folder, and the hash of the folder, are of the run, not of the program."""
        data = re.sub(rb"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z|\b20[0-9]{6}T[0-9]{6}Z", b"MOMENT", data)
        return re.sub(rb"trees/[0-9a-f]{16}", b"trees/FOLDER", data.replace(str(self.folder).encode(), b"WORLD"))


def run_side(world, group, program):
    world.make(group)
    seen = []
    made = world.files
    for command in group.commands:
        if isinstance(command[2], dict):
            world.renew(command[2])
        elif world.files != made:
            world.renew(group.files[-1])
            made = world.files
        seen.append(world.run(program, command))
    return seen


def digest(value):
    return hashlib.sha256(repr(value).encode()).hexdigest()


def fingerprint(group, program):
    this = Path(__file__).read_bytes()
    return digest((this, Path(program).read_bytes(), group.files, group.committed, group.commands))


def run_group(job):
    """What both sides gave; or None, and nothing was kept, where HEAD gave what BASE is known to have given."""
    group, programs, folder, known, kept = job
    # All paths have one length: they appear in tables and in lines that are cut.
    world = World(Path(folder) / f"{os.getpid():08}")
    world.folder.mkdir(exist_ok=True)
    name = fingerprint(group, programs[0])
    head = run_side(world, group, programs[1])
    if not kept and known.get(name) == digest(head):
        return name, None, None
    return name, run_side(world, group, programs[0]), head


def keep(folder, side, number, command, seen):
    place = Path(folder) / side / number
    place.mkdir(parents=True)
    (place / "command").write_text(" ".join(command[0]) + "\n")
    for part, data in seen.items():
        (place / part.replace(" ", "-")).write_bytes(data)


def lines(data):
    return data.decode("utf-8", "backslashreplace").splitlines()


def show(group, command, base, head):
    args, env, _ = command
    print(f"FAIL  {group.name}: {' '.join([f'{k}={v}' for k, v in env.items()] + ['pawl', *args])}")
    for part in sorted(set(base) | set(head)):
        if base.get(part) != head.get(part):
            difference = list(difflib.unified_diff(lines(base.get(part, b"")), lines(head.get(part, b"")), f"base {part}", f"head {part}", lineterm="", n=1))
            for line in difference[:SHOWN_LINES]:
                print(f"      | {line[:200]}")
            if len(difference) > SHOWN_LINES:
                print(f"      | and {len(difference) - SHOWN_LINES} lines more")


def all_groups(programs, options):
    groups = [words_group(programs), *scenario_groups(), *faulty_groups(), *result_groups(options.results), *baseline_groups(), *profile_groups()]
    return [part for group in groups + damaged_groups(options.inputs) for part in group.parts()]


def main():
    sys.setrecursionlimit(100000)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=200)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep")
    parser.add_argument("--known")
    parser.add_argument("--results")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("base")
    parser.add_argument("head")
    options = parser.parse_args()
    programs = [os.path.abspath(options.base), os.path.abspath(options.head)]
    for program in programs:
        if not os.access(program, os.X_OK):
            parser.error(f"{program} is no program")
    groups = [g for g in all_groups(programs, options) if options.only in g.name]
    if options.keep:
        shutil.rmtree(options.keep, ignore_errors=True)
    known = {}
    if options.known and os.path.exists(options.known):
        known = json.loads(Path(options.known).read_text())
    # The folder's name has no character that a format escapes.
    folder = Path(tempfile.gettempdir()) / f"pawl-guard-{secrets.token_hex(4)}"
    folder.mkdir(mode=0o700)
    try:
        failed, commands = compare(groups, programs, folder, known, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if options.known:
        Path(options.known).write_text(json.dumps(known))
    if failed > SHOWN:
        print(f"and {failed - SHOWN} commands more")
    print(f"{commands} commands: {commands - failed} print and write the same, {failed} do not")
    return 1 if failed or not commands else 0


def compare(groups, programs, folder, known, options):
    commands = failed = 0
    with multiprocessing.Pool(options.jobs) as pool:
        jobs = [(g, programs, folder, known, options.keep) for g in groups]
        for group, (name, base, head) in zip(groups, pool.imap(run_group, jobs, chunksize=1)):
            commands += len(group.commands)
            if base is None:
                continue
            known[name] = digest(base)
            for n, command in enumerate(group.commands):
                if options.keep:
                    for side, seen in (("base", base[n]), ("head", head[n])):
                        keep(options.keep, side, f"{group.name}/{n:03}", command, seen)
                if base[n] != head[n]:
                    failed += 1
                    if failed <= SHOWN:
                        show(group, command, base[n], head[n])
    return failed, commands


if __name__ == "__main__":
    sys.exit(main())
