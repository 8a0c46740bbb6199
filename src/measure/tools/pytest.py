# A plugin for pytest. It spares each run of pytest-benchmark about two seconds that have nothing to do with the
# benchmarks: one that versions up to 5.2 spend on the timer's precision, and one on a description of the CPU.

import sys

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_benchmark_generate_machine_info():
    return {}


def pytest_configure():
    fixture = sys.modules.get("pytest_benchmark.fixture")
    if hasattr(fixture, "compute_timer_precision"):
        fixture.compute_timer_precision = pawl_precision


# The least step of ten, as of a hundred or more in the original.
def pawl_precision(timer):
    steps = []
    while len(steps) < 10:
        began = ended = timer()
        while ended <= began:
            ended = timer()
        steps.append(ended - began)
    return min(steps)
