#!/usr/bin/env python3
"""One reading of a server scenario without pawl, to hold pawl's against:

    by_hand.py SCENARIO

Starts the services, runs the load twice, and prints what it did a second and what CPU time the
target took for each unit of work by /proc, in JSON. It knows only what scenarios/servers uses.
"""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import yaml


class Context:
    """What ${name} stands for."""

    def __init__(self, path):
        self.names = {"tmp": tempfile.mkdtemp(), "scenario_dir": os.path.dirname(os.path.abspath(path))}
        os.chmod(self.names["tmp"], 0o711)

    def value(self, name):
        if name not in self.names and re.match(r"port(\.|$)", name):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.names[name] = str(free.getsockname()[1])
        return self.names[name]

    def expand(self, text):
        return re.sub(r"\$\{([^}]*)\}", lambda match: self.value(match.group(1)), text)

    def argv(self, command):
        return ["/bin/sh", "-c", self.expand(command)] if isinstance(command, str) else [*map(self.expand, command)]

    def run(self, command):
        done = subprocess.run(self.argv(command), stdout=subprocess.PIPE, text=True, check=True, timeout=60)
        return done.stdout


def serves(context, ready):
    try:
        if "http" in ready:
            with urllib.request.urlopen(context.expand(ready["http"]), timeout=1) as answer:
                return answer.status == 200
        return subprocess.run(context.argv(ready["command"]), stdout=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


def start(context, service):
    process = subprocess.Popen(context.argv(service["command"]), stdout=sys.stderr, start_new_session=True)
    deadline = time.monotonic() + 30
    while not serves(context, service["ready"]):
        if process.poll() is not None or time.monotonic() > deadline:
            stop(process, service)
            sys.exit(f"by_hand.py: {service['name']} does not serve")
        time.sleep(0.05)
    return process


def stop(process, service):
    if process.poll() is None:
        process.send_signal(signal.Signals["SIG" + service["stop"]["signal"]])
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def stat_fields(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            return stat.read().rsplit(")", 1)[1].split()
    except OSError:
        return None


def cpu_ms(pid):
    """User and system time of the process and its children, ended ones that were waited for included."""
    fields = stat_fields(pid)
    if fields is None:
        return 0
    children = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    children = [child for child in children if (stat_fields(child) or [None, 0])[1] == str(pid)]
    return sum(map(int, fields[11:15])) * 1000 / os.sysconf("SC_CLK_TCK") + sum(map(cpu_ms, children))


def figure(load, output, seconds):
    printed = float(re.findall(load["work"]["regex"], output, re.M)[-1])
    return printed * seconds if load["work"]["as"] == "rate" else printed


def reading(context, scenario, target):
    begun, cpu = time.monotonic(), cpu_ms(target.pid)
    output = context.run(scenario["load"]["command"])
    seconds = time.monotonic() - begun
    time.sleep(0.1)  # workers that end with their connections are still being waited for
    work = figure(scenario["load"], output, seconds)
    return {"throughput": work / seconds, "cpu_ms_per_work": (cpu_ms(target.pid) - cpu) / work}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        scenario = yaml.safe_load(file)
    context, running = Context(sys.argv[1]), []
    try:
        context.run(scenario.get("setup", "true"))
        for service in scenario["env"]:
            running.append((start(context, service), service))
        [target] = [process for process, service in running if service["name"] == scenario["target"]["service"]]
        context.run(scenario.get("warmup", {}).get("command", "true"))
        context.run(scenario["load"]["command"])
        print(json.dumps(reading(context, scenario, target)))
    finally:
        for process, service in reversed(running):
            stop(process, service)
        shutil.rmtree(context.names["tmp"])


main()
