#!/usr/bin/env python3
"""Check the workflows, or run the steps of a job here, the way a runner would.

job.py check FILE...
job.py run FILE JOB --tree DIR --artifacts DIR [--matrix KEY=VALUE]... [--env KEY=VALUE]...

`run` executes every `run:` step in DIR with the job's environment, skips the steps that use an
action, and copies what upload-artifact would have uploaded to the --artifacts folder. Its status is
the job's. The expressions it understands are the few that these workflows use; others are faults.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

import yaml

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def load(path):
    with open(path, encoding="utf-8") as file:
        flow = yaml.safe_load(file)
    flow["on"] = flow.pop(True, flow.get("on"))  # YAML 1.1 reads the key `on` as true
    return flow


def steps_of(flow):
    for name, job in flow["jobs"].items():
        for number, step in enumerate(job["steps"], 1):
            yield f"{name}, step {number}", step


def faults_of(flow):
    if flow.get("permissions") != {"contents": "read"}:
        yield "the workflow's permissions are not exactly 'contents: read'"
    if "pull_request_target" in flow["on"]:
        yield "pull_request_target gives a stranger's code the repository's token"
    for where, step in steps_of(flow):
        uses = step.get("uses", "")
        if "${{" in step.get("run", ""):
            yield f"{where}: an expression inside a script; hand it over through env"
        if uses and not re.search(r"@(v\d+|[0-9a-f]{40})$", uses):
            yield f"{where}: {uses} is not pinned"
        if uses.startswith("actions/checkout@") and step.get("with", {}).get("persist-credentials") is not False:
            yield f"{where}: checkout leaves the token in the tree; set persist-credentials: false"


def check(files):
    bad = [f"{path}: {fault}" for path in files for fault in faults_of(load(path))]
    for fault in bad:
        print(fault)
    return 1 if bad else 0


def expand(text, contexts):
    def value(match):
        scope, _, key = match[1].partition(".")
        if key not in contexts.get(scope, {}):
            raise SystemExit(f"job.py: cannot evaluate '{match[0]}'")
        return contexts[scope][key]

    return EXPRESSION.sub(value, str(text))


def wanted(step, failed):
    condition = EXPRESSION.sub(r"\1", str(step.get("if", "success()")))
    known = {"success()": not failed, "failure()": failed, "always()": True, "!cancelled()": True}
    if condition not in known:
        raise SystemExit(f"job.py: cannot evaluate 'if: {condition}'")
    return known[condition]


def upload(step, contexts, args):
    inputs = {key: expand(value, contexts) for key, value in step["with"].items()}
    source = os.path.join(args.tree, inputs["path"])
    if os.path.exists(source):
        shutil.copytree(source, os.path.join(args.artifacts, inputs["name"]), symlinks=True)


def pairs(items):
    return dict(item.split("=", 1) for item in items)


def run(args):
    job = load(args.file)["jobs"][args.job]
    contexts = {"matrix": pairs(args.matrix), "env": {}}
    for key, value in job.get("env", {}).items():
        contexts["env"][key] = expand(value, contexts)
    environment = {**os.environ, **contexts["env"], **pairs(args.env)}
    failed = 0
    for step in job["steps"]:
        name = step.get("name") or step.get("uses")
        if not wanted(step, failed):
            print(f"-- {name}: skipped", flush=True)
        elif step.get("uses", "").startswith("actions/upload-artifact@"):
            upload(step, contexts, args)
        elif "run" in step:
            print(f"-- {name}", flush=True)
            own = {key: expand(value, contexts) for key, value in step.get("env", {}).items()}
            done = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=args.tree, env={**environment, **own},
                                  stdin=subprocess.DEVNULL, check=False)
            if done.returncode:
                print(f"-- {name}: status {done.returncode}", flush=True)
            failed = failed or done.returncode
    return failed


def main():
    parser = argparse.ArgumentParser()
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("check").add_argument("files", nargs="+")
    one = verbs.add_parser("run")
    one.add_argument("file")
    one.add_argument("job")
    one.add_argument("--tree", required=True)
    one.add_argument("--artifacts", required=True)
    one.add_argument("--matrix", action="append", default=[])
    one.add_argument("--env", action="append", default=[])
    args = parser.parse_args()
    return check(args.files) if args.verb == "check" else run(args)


if __name__ == "__main__":
    sys.exit(main())
