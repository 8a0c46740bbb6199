#!/usr/bin/env python3
"""What is in the documents: their examples, for test_docs.sh to run, and the faults to be seen by reading.

documents.py examples DIR FILE...    write the examples of each FILE below DIR, print one line each:
                                     KIND<tab>DOCUMENT:LINE<tab>PATH[<tab>NAME]
documents.py alike EXPECTED GOT      is GOT what a document shows as EXPECTED, but for numbers, names of commits and
                                     warnings about the machine? A line ... in EXPECTED stands for any lines
documents.py faults ROOT HELP FILE...
                                     print links that lead nowhere, rows outside of tables, keys, metrics, statuses
                                     and verdicts that are not documented, and options and commands that are but do
                                     not exist

Of HELP, pawl's own help of everything, only the words that begin with -- count.
"""
import json
import os
import re
import sys

KINDS = {"yaml": "scenario", "yaml pawl.yaml": "config", "yaml workflow": "workflow", "json baseline": "baseline",
         "console": "console", "console session": "session", "sh": None, "sh slurm": None,
         "sh parallel": None, "sh ci": None, "yaml gitlab": None, "groovy jenkins": None, "text": None}
WRITTEN = re.compile(r"[a-z]+ file=(\S+)$")
FENCE = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.M)
LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)")
# Options of other programs in the documents.
FOREIGN = {"--bench", "--shuffle-sections", "--version", "--update", "--list", "--tool", "--cache-sim", "--branch-sim", "--keep", "--no-name",
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
    text = " ".join(text.split()).replace(", 0 % of the change", "")
    return text.replace("at least 0 times", "0 times")  # a trace that was cut off


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


def table_names(path):
    """The words in code that begin the rows of the tables of a document."""
    rows = re.findall(r"^\| (`.*?) \|", read(path), re.M)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def missing_keys(root):
    for schema, page in ("scenario", "scenario"), ("pawl", "pawl-yaml"), ("result", "result"), ("baseline", "baseline"):
        documented = {*re.findall("`([^`]+)`", FENCE.sub("", read(f"{root}/docs/reference/{page}.md")))}
        keys = json.loads(read(f"{root}/share/{schema}.schema.json"))
        # pawl.yaml has measure, profile and gates as scenarios have them.
        for key in keys["properties"] if schema == "pawl" else schema_keys(keys):
            if key not in documented:
                yield f"docs/reference/{page}.md: no table has the key {key} of share/{schema}.schema.json"


def wrong_metrics(root, source):
    """Each metric of the catalogue, read from its source, has a row with its limits. It is the metric's first row."""
    documented = {re.match(r"\| `([^`]+)`", line)[1]: line
                  for line in reversed(read(f"{root}/docs/reference/metrics.md").splitlines()) if line.startswith("| `")}
    entries = re.split(r"^\t\[METRIC_", source.split("metric_catalogue[] = {")[1].split("\n};")[0], flags=re.M)[1:]
    for entry in entries:
        name = re.search(r'(?:name = |GROWS\([A-Z0-9_]*, )"([^"]+)"', entry)[1]
        row = documented.get(name, "")
        if not row:
            yield f"docs/reference/metrics.md: there is no row of {name}"
        for limit in re.findall(r"(?:stored|paired|together)_tolerance_pct = ([0-9.]+)", entry):
            if f"{limit}%" not in row:
                yield f"docs/reference/metrics.md: the row of {name} lacks the limit {limit}%"
    if len(entries) < 30:
        yield "the catalogue of metrics cannot be read any more"


def wrong_words(root):
    """Statuses, verdicts and first words of reports, as the program's enums have them."""
    documented = table_names(f"{root}/docs/reference/exit-status.md")
    verdicts = re.findall(r'\[VERDICT_\w+\] = "([a-z-]+)"', read(f"{root}/src/model/gate.c"))
    severities = re.findall(r'\[SEVERITY_\w+\] = \{ "([A-Za-z ]+)"', read(f"{root}/src/report/severity.c"))
    for word in ["0", "1", "2", "3", "4", "130", "143", *verdicts, *severities]:
        if word not in documented:
            yield f"docs/reference/exit-status.md: no table has {word}"
    if len(verdicts) < 7 or len(severities) < 16:
        yield "verdicts and severities cannot be read any more"


def broken_tables(path):
    """A row is no table without a header: a blank line above it would end the table of the row before."""
    lines = FENCE.sub("", read(path)).splitlines()
    for before, line, after in zip(["", *lines], lines, [*lines[1:], ""]):
        if line.startswith("|") and not before.startswith("|") and not after.startswith("|---"):
            yield f"{path}: a row outside of a table: {line[:60]}"


def wrong_options(path, help_text):
    known = set(re.findall(r"--[a-z][a-z-]*", help_text)) | FOREIGN
    for option in sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", read(path)))):
        if option not in known:
            yield f"{path}: there is no option {option}"
    commands = set(re.findall(r"^  ([a-z]+)  ", help_text, re.M))
    for command in sorted(set(re.findall(r"`pawl ([a-z]+)", read(path)))):
        if command not in commands:
            yield f"{path}: there is no command {command}"


def faults(root, help_path, paths):
    found = [fault for path in paths for check in (bad_links, broken_tables) for fault in check(path)]
    found += [fault for path in paths for fault in wrong_options(path, read(help_path))]
    found += [*missing_keys(root), *wrong_metrics(root, read(f"{root}/src/model/metrics/metric.c")), *wrong_words(root)]
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["examples", folder, *paths] if paths:
            examples(folder, paths)
        case ["alike", expected, got]:
            sys.exit(not alike(expected, got))
        case ["faults", root, help_path, *paths] if paths:
            sys.exit(faults(root, help_path, paths))
        case _:
            sys.exit(__doc__)
