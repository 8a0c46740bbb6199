"""Comparisons that are kept as the lines of results.jsonl in a folder, so that the same command goes on where it ended."""

import contextlib
import fcntl
import json
import os
import sys
import time


@contextlib.contextmanager
def alone(folder, program):
    """Ends PROGRAM if another one works in FOLDER."""
    with open(os.path.join(folder, "lock"), "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"{program}: another one works in {folder}")
        yield


def load(folder):
    """The comparisons made so far."""
    path = os.path.join(folder, "results.jsonl")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@contextlib.contextmanager
def adding(folder):
    """A function that adds one."""
    with open(os.path.join(folder, "results.jsonl"), "a", encoding="utf-8") as file:
        def add(item):
            file.write(json.dumps(item) + "\n")
            file.flush()
        yield add


def go_on(folder, items, compare, seconds):
    """Compares those of ITEMS that are missing; none begins after SECONDS. Returns all that there are, by `id`."""
    start = time.monotonic()
    done = {item["id"]: item for item in load(folder)}
    with adding(folder) as add:
        for item in items:
            if item["id"] not in done and time.monotonic() - start <= seconds:
                done[item["id"]] = compare(item)
                add(done[item["id"]])
    return done
