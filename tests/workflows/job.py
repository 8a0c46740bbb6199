#!/usr/bin/env python3
"""Check the workflows, or run the steps of a job or of a composite action here, the way a runner would.

job.py check [--commits] FILE...
job.py scripts FILE... --into DIR
job.py run FILE JOB --tree DIR --artifacts DIR [--cache DIR] [--matrix KEY=VALUE]... [--env KEY=VALUE]...
job.py action FILE --tree DIR --artifacts DIR [--cache DIR] [--only STEP] [--input KEY=VALUE]... [--env KEY=VALUE]...

`check --commits` also wants every action pinned by its commit. `scripts` writes each `run:` to a file
of its own, for shellcheck. `run` executes every `run:` step in DIR with the job's environment, skips the
steps that use an action, and copies what upload-artifact would have uploaded to the --artifacts folder.
The --cache folder stands for the CI cache: actions/cache/restore and save read and write it.
With --only, `action` runs no step but that one.
Its status is the job's. What steps append to GITHUB_OUTPUT and GITHUB_PATH counts for the next ones.
The expressions it understands are the few that these workflows use; others are faults.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
COMPARED = re.compile(r"([a-z]+\.[\w.-]+)\s*([!=]=)\s*'([^']*)'")
# Events that only members of the repository can cause, and that run its own code.
TRUSTED = {"workflow_run", "workflow_dispatch", "push", "schedule"}


def load(path):
    with open(path, encoding="utf-8") as file:
        flow = yaml.safe_load(file)
    if True in flow:
        flow["on"] = flow.pop(True)  # YAML 1.1 reads the key `on` as true
    return flow


def steps_of(flow):
    if "runs" in flow:
        yield from ((f"step {number}", step) for number, step in enumerate(flow["runs"]["steps"], 1))
    for name, job in flow.get("jobs", {}).items():
        for number, step in enumerate(job["steps"], 1):
            yield f"{name}, step {number}", step


def triggers_of(flow):
    on = flow["on"]
    return {on} if isinstance(on, str) else set(on)


def rights_faults(flow):
    if flow.get("permissions") != {"contents": "read"}:
        yield "the workflow's permissions are not exactly 'contents: read'"
    if "pull_request_target" in triggers_of(flow):
        yield "pull_request_target gives a stranger's code the repository's token"
    for name, job in flow["jobs"].items():
        rights = job.get("permissions", {})
        if not isinstance(rights, dict):
            yield f"{name}: name each right"
        elif "write" in rights.values() and not triggers_of(flow) <= TRUSTED:
            yield f"{name}: may write, in a workflow that a stranger's code can be part of"


def faults_of(flow, commits):
    if "jobs" in flow:
        yield from rights_faults(flow)
    for where, step in steps_of(flow):
        uses = step.get("uses", "")
        if "${{" in step.get("run", ""):
            yield f"{where}: an expression inside a script; hand it over through env"
        if uses and not re.search(r"@[0-9a-f]{40}$|^\./" if commits else r"@(v\d+|[0-9a-f]{40})$|^OWNER/pawl(/comment)?@|^\./", uses):
            yield f"{where}: {uses} is not pinned"
        if uses.startswith("actions/checkout@") and step.get("with", {}).get("persist-credentials") is not False:
            yield f"{where}: checkout leaves the token in the tree; set persist-credentials: false"


def stale_pins(flows):
    """An action that is updated in one place only would stay old, with its faults, in the others."""
    pins = {}
    for flow in flows:
        for _, step in steps_of(flow):
            name, _, pin = step.get("uses", "").partition("@")
            pins.setdefault(name, set()).add(pin)
    return [f"{name} is pinned to {len(commits)} versions" for name, commits in pins.items() if len(commits) > 1]


def check(args):
    flows = {path: load(path) for path in args.files}
    bad = [f"{path}: {fault}" for path, flow in flows.items() for fault in faults_of(flow, args.commits)]
    bad += stale_pins(flows.values())
    for fault in bad:
        print(fault)
    return 1 if bad else 0


def scripts(args):
    for path in args.files:
        for where, step in steps_of(load(path)):
            if "run" in step:
                name = re.sub(r"\W+", "-", f"{os.path.basename(path)} {where}") + ".sh"
                with open(os.path.join(args.into, name), "w", encoding="utf-8") as file:
                    file.write(f"#!/bin/bash\n{step['run']}\n")
    return 0


# -------- run steps

class Runner:
    def __init__(self, args, contexts, environment):
        self.args, self.contexts, self.environment = args, contexts, environment
        self.failed = 0

    def value(self, name):
        scope, _, key = name.partition(".")
        if scope == "steps":
            step, _, output = key.partition(".outputs.")
            return self.contexts["steps"].get(step, {}).get(output, "")
        if key not in self.contexts.get(scope, {}):
            raise SystemExit(f"job.py: cannot evaluate '{name}'")
        return self.contexts[scope][key]

    def expand(self, text):
        return EXPRESSION.sub(lambda match: self.value(match[1]), str(text))

    def holds(self, term):
        known = {"success()": not self.failed, "failure()": self.failed, "always()": True, "!cancelled()": True}
        if term in known:
            return known[term]
        if compared := COMPARED.fullmatch(term):
            return (self.value(compared[1]) == compared[3]) == (compared[2] == "==")
        raise SystemExit(f"job.py: cannot evaluate 'if: {term}'")

    def wanted(self, step):
        terms = EXPRESSION.sub(r"\1", str(step.get("if", "success()"))).split(" && ")
        if not any("()" in term for term in terms):
            terms.append("success()")
        return all(self.holds(term.strip()) for term in terms)

    def upload(self, step):
        inputs = {key: self.expand(value) for key, value in step["with"].items()}
        source = os.path.join(self.args.tree, inputs["path"])
        if os.path.exists(source):
            shutil.copytree(source, os.path.join(self.args.artifacts, inputs["name"]), symlinks=True)

    def restore(self, step):
        """The exact key, else the newest whose key begins with restore-keys."""
        inputs = {key: self.expand(value) for key, value in step["with"].items()}
        entries = sorted(os.scandir(self.args.cache), key=lambda entry: entry.stat().st_mtime_ns, reverse=True)
        for prefix in [inputs["key"] + ".tar", inputs.get("restore-keys", "\0")]:
            for entry in entries:
                if entry.name.startswith(prefix):
                    subprocess.run(["tar", "-xPf", entry.path], check=True)
                    print(f"-- restored {entry.name}", flush=True)
                    return

    def save(self, step):
        inputs = {key: self.expand(value) for key, value in step["with"].items()}
        archive = os.path.join(self.args.cache, inputs["key"] + ".tar")
        if os.path.exists(inputs["path"]) and not os.path.exists(archive):
            subprocess.run(["tar", "--posix", "-cPf", archive, inputs["path"]], check=True)
            print(f"-- saved {inputs['key']}", flush=True)

    def script(self, step, name):
        own = {key: self.expand(value) for key, value in step.get("env", {}).items()}
        with tempfile.TemporaryDirectory() as folder:
            files = {key: os.path.join(folder, key) for key in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_ENV")}
            for path in files.values():
                open(path, "w", encoding="utf-8").close()
            cwd = os.path.join(self.args.tree, self.expand(step.get("working-directory", ".")))
            done = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=cwd, env={**self.environment, **own, **files},
                                  stdin=subprocess.DEVNULL, check=False)
            with open(files["GITHUB_OUTPUT"], encoding="utf-8") as file:
                self.contexts["steps"][step.get("id", name)] = pairs(file.read().splitlines())
            with open(files["GITHUB_PATH"], encoding="utf-8") as file:
                for folder_on_path in file.read().splitlines():
                    self.environment["PATH"] = f"{folder_on_path}:{self.environment['PATH']}"
        if done.returncode:
            print(f"-- {name}: status {done.returncode}", flush=True)
            self.failed = self.failed or (0 if step.get("continue-on-error") else done.returncode)

    def run(self, steps):
        for step in steps:
            name = step.get("name") or step.get("uses") or "a step"
            if not self.wanted(step):
                print(f"-- {name}: skipped", flush=True)
            elif step.get("uses", "").startswith("actions/upload-artifact@"):
                self.upload(step)
            elif self.args.cache and step.get("uses", "").startswith("actions/cache/restore@"):
                self.restore(step)
            elif self.args.cache and step.get("uses", "").startswith("actions/cache/save@"):
                self.save(step)
            elif "run" in step:
                print(f"-- {name}", flush=True)
                self.script(step, name)
        return self.failed


def pairs(items):
    return dict(item.split("=", 1) for item in items)


def github_of(environment):
    given = {key[len("GITHUB_"):].lower(): value for key, value in environment.items() if key.startswith("GITHUB_")}
    return {"token": "no-token", "action_ref": "", "action_repository": "", **given}


def run(args):
    job = load(args.file)["jobs"][args.job]
    environment = {**os.environ, **pairs(args.env)}
    contexts = {"matrix": pairs(args.matrix), "inputs": pairs(args.input), "env": {}, "steps": {},
                "github": github_of(environment)}
    runner = Runner(args, contexts, environment)
    for key, value in job.get("env", {}).items():
        contexts["env"][key] = runner.expand(value)
    environment.update({**contexts["env"], **pairs(args.env)})
    return runner.run(job["steps"])


def action(args):
    """A composite action, with its own inputs, and their defaults."""
    it = load(args.file)
    given, environment = pairs(args.input), {**os.environ, **pairs(args.env)}
    if unknown := set(given) - set(it["inputs"]):
        raise SystemExit(f"job.py: the action has no input {unknown}")
    folder = os.path.dirname(os.path.abspath(args.file))
    environment["GITHUB_ACTION_PATH"] = folder
    contexts = {"inputs": {}, "env": {}, "steps": {}, "github": {**github_of(environment), "action_path": folder}}
    runner = Runner(args, contexts, environment)
    for key, one in it["inputs"].items():
        contexts["inputs"][key] = given.get(key, runner.expand(one.get("default", "")))
    status = runner.run([step for step in it["runs"]["steps"] if args.only in (None, step.get("name"))])
    for key, one in it.get("outputs", {}).items():
        print(f"-- output {key}={runner.expand(one['value'])}", flush=True)
    return status


def main():
    parser = argparse.ArgumentParser()
    verbs = parser.add_subparsers(dest="verb", required=True)
    rules = verbs.add_parser("check")
    rules.add_argument("--commits", action="store_true")
    rules.add_argument("files", nargs="+")
    split = verbs.add_parser("scripts")
    split.add_argument("files", nargs="+")
    split.add_argument("--into", required=True)
    for verb in ("run", "action"):
        one = verbs.add_parser(verb)
        one.add_argument("file")
        if verb == "run":
            one.add_argument("job")
            one.add_argument("--matrix", action="append", default=[])
        one.add_argument("--tree", required=True)
        one.add_argument("--artifacts", required=True)
        if verb == "action":
            one.add_argument("--only")
        one.add_argument("--cache")
        one.add_argument("--input", action="append", default=[])
        one.add_argument("--env", action="append", default=[])
    args = parser.parse_args()
    return {"check": check, "scripts": scripts, "run": run, "action": action}[args.verb](args)


if __name__ == "__main__":
    sys.exit(main())
