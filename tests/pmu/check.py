"""Asserts about one scenario of a result.json: check.py RESULT EXPRESSION...

An expression is Python over the names below; one that is false is printed with what it saw.
"""
import json
import sys


class Found:
    def __init__(self, result):
        self.machine = result["machine"]
        self.scenario = result["scenarios"][0]
        self.notes = "\n".join(self.scenario["notes"])
        self.explanation = "\n".join(self.scenario["explanation"])
        self.rows = [row for run in self.scenario["raw"] for row in run]
        self.events = {row["event"] for row in self.rows}
        self.passes = len(set(self.scenario["event_groups"]))
        self.columns = self.scenario["metrics"]

    def gate(self, metric):
        return next(gate for gate in self.scenario["gates"] if gate["metric"] == metric)

    def verdict(self, metric):
        return self.gate(metric)["verdict"]

    def reason(self, metric):
        return self.gate(metric)["reason"] or ""

    def values(self, metric):
        return [run[metric] for run in self.scenario["runs"] if run.get(metric) is not None]

    def all_the_time(self):
        return bool(self.rows) and all(r["state"] == "counted" and r["running_pct"] == 100 for r in self.rows)

    def all_there_is(self):
        """Like all_the_time(), on a machine that does not have all of the events."""
        return bool(self.values("cycles")) and all(r["running_pct"] == 100 if r["state"] == "counted" else
                                                   r["state"] == "not-supported" for r in self.rows)


def seen(found):
    for gate in found.scenario["gates"]:
        yield "gate %(metric)s: %(verdict)s, %(baseline)s -> %(current)s, %(reason)s" % gate
    yield "class %s, %d passes, %d runs" % (found.machine["class"], found.passes, len(found.scenario["runs"]))
    yield "events: " + ", ".join(sorted(found.events))
    yield from ("note: " + line for line in found.notes.splitlines())
    yield from ("why: " + line for line in found.explanation.splitlines())


def main():
    with open(sys.argv[1]) as file:
        found = Found(json.load(file))
    names = {name: getattr(found, name) for name in dir(found) if not name.startswith("_")}
    wrong = [text for text in sys.argv[2:] if not eval(text, dict(names))]
    for text in wrong:
        print("not so: " + text)
    if wrong:
        print("\n".join(seen(found)))
    return 1 if wrong else 0


sys.exit(main())
