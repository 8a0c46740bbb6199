#!/usr/bin/env python3
"""What is in the documents: their examples, for test_docs.sh to run, and the faults to be seen by reading.

documents.py examples DIR FILE...    write the examples of each FILE below DIR, print one line each:
                                     KIND<tab>DOCUMENT:LINE<tab>PATH[<tab>NAME]
documents.py alike EXPECTED GOT      is GOT what a document shows as EXPECTED, but for numbers, names of commits and
                                     warnings about the machine? A line ... in EXPECTED stands for any lines
documents.py faults ROOT MANPAGE HELP FILE...
                                     print links that lead nowhere, keys and metrics that are not documented, and options and
                                     commands that are but do not exist

Of HELP, pawl's own help of everything, only the words that begin with -- count; MANPAGE is pawl(1).
"""
import json
import os
import re
import sys

KINDS = {"yaml": "scenario", "yaml pawl.yaml": "config", "yaml workflow": "workflow", "json baseline": "baseline",
         "console": "console", "console session": "session", "sh": None, "sh slurm": None,
         "sh parallel": None, "sh ci": None, "yaml gitlab": None, "text": None}
WRITTEN = re.compile(r"[a-z]+ file=(\S+)$")
FENCE = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.M)
LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)")
# Options of other programs in the documents.
FOREIGN = {"--shuffle-sections", "--version", "--update", "--list", "--tool", "--cache-sim", "--branch-sim", "--keep", "--no-name",
           "--parallel", "--bind", "--directory", "--dir", "--name", "--init", "--recursive",
           "--shell", "--ignore-failure", "--sort", "--style", "--input", "--min-benchmarking-time", "--reference",
           "--array", "--job-name", "--jobs", "--return", "--sshloginfile", "--workdir", "--call-graph", "--ref", "--cap-add", "--security-opt",
           "--unshallow", "--exclusive", "--dependency", "--wrap", "--constraint", "--perf-basic-prof",
           "--interpreted-frames-native-stack", "--max-inlined-bytecode-size"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def blocks(path):
    text = read(path)
    for match in FENCE.finditer(text):
        yield match[1].strip(), match[2], text.count("\n", 0, match.start()) + 1


def examples(folder, paths):
    for number, path in enumerate(paths):
        for info, body, line in blocks(path):
            written = WRITTEN.match(info)
            if not written and info not in KINDS:
                raise SystemExit(f"{path}:{line}: no example is called '{info}'; known: {', '.join(KINDS)}, LANGUAGE file=NAME")
            kind = "file" if written else KINDS[info]
            if not kind:
                continue
            out = os.path.join(folder, str(number), f"{line:04}.{kind}")
            os.makedirs(os.path.dirname(out), exist_ok=True)
            with open(out, "w", encoding="utf-8") as file:
                file.write(body)
            print(kind, f"{os.path.basename(path)}:{line}", out, *([written[1]] if written else []), sep="\t")


def settled(text):
    """TEXT without what differs between two runs or two machines."""
    text = re.sub(r"^  warning .*\n?(?: {11}.*\n?)*", "", text, flags=re.M)
    text = re.sub(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b|\b\d{8}T\d{6}Z-\w+", "ID", text)
    text = re.sub(r"^(PASS .* not slower).*", r"\1", text, flags=re.M)
    text = re.sub(r"[-+]?\d[\d,.]*\d|[-+]?\d", "0", text)
    text = re.sub(r"\b0 (?:us|ms|s|k|M|G)\b", "0", text)
    return " ".join(text.split()).replace(", 0 % of the change", "")


def alike(expected, got):
    parts = [settled(part) for part in re.split(r"^\.\.\.$", expected, flags=re.M)]
    return re.fullmatch(" ?.*? ?".join(re.escape(part) for part in parts), settled(got)) is not None


def anchors(path):
    for title in re.findall(r"^#+ (.*)$", FENCE.sub("", read(path)), re.M):
        yield re.sub(r"[^a-z0-9 _-]", "", title.lower()).replace(" ", "-")


def bad_links(path):
    for target in LINK.findall(FENCE.sub("", read(path))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        there = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not os.path.exists(there):
            yield f"{path}: the link to {target} leads nowhere"
        elif anchor and anchor not in anchors(there):
            yield f"{path}: {there} has no section #{anchor}"


def schema_keys(node):
    """Every key a mapping can have, but for the metrics below gates."""
    if isinstance(node, list):
        for item in node:
            yield from schema_keys(item)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key == "properties" and "task-clock" not in value:
                yield from value
            yield from schema_keys(value)


def missing_keys(root):
    text = read(f"{root}/docs/scenarios.md")
    for schema in "scenario", "pawl":
        for key in schema_keys(json.loads(read(f"{root}/share/{schema}.schema.json"))):
            if not re.search(rf"^\|.*`{re.escape(key)}`.*\|", text, re.M):
                yield f"docs/scenarios.md: no table has the key {key} of share/{schema}.schema.json"


def metrics_of(manpage):
    section = manpage.split(".SH METRICS\n")[1].split("\n.SH ")[0].replace("\\-", "-")
    for entry in section.split(".TP\n")[1:]:
        names, text = entry.split("\n")[:2]
        tolerance = re.search(r" \(([+-][0-9.]+%)\)$", text)
        yield re.findall(r"\\fB(.*?)\\fR", names), tolerance[1] if tolerance else None


def wrong_metrics(root, manpage):
    rows = {re.match(r"\| `([^`]+)`", line)[1]: line
            for line in read(f"{root}/docs/metrics.md").splitlines() if line.startswith("| `")}
    for (name,), tolerance in metrics_of(read(manpage)):
        row = rows.get(name, "")
        stated = re.findall(r"\| ([+-][0-9.]+%) \|", row)
        if not row:
            yield f"docs/metrics.md: there is no row of {name}"
        elif stated != ([tolerance] if tolerance else []):
            yield f"docs/metrics.md: the tolerance of {name} is {tolerance}, not {stated}"


def wrong_options(path, help_text):
    known = set(re.findall(r"--[a-z][a-z-]*", help_text)) | FOREIGN
    for option in sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", read(path)))):
        if option not in known:
            yield f"{path}: there is no option {option}"
    commands = set(re.findall(r"^  ([a-z]+)  ", help_text, re.M))
    for command in sorted(set(re.findall(r"`pawl ([a-z]+)", read(path)))):
        if command not in commands:
            yield f"{path}: there is no command {command}"


def faults(root, manpage, help_path, paths):
    found = [fault for path in paths for fault in bad_links(path)]
    found += [fault for path in paths for fault in wrong_options(path, read(help_path))]
    found += [*missing_keys(root), *wrong_metrics(root, manpage)]
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["examples", folder, *paths] if paths:
            examples(folder, paths)
        case ["alike", expected, got]:
            sys.exit(not alike(expected, got))
        case ["faults", root, manpage, help_path, *paths] if paths:
            sys.exit(faults(root, manpage, help_path, paths))
        case _:
            sys.exit(__doc__)
