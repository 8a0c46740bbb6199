"""Rates of what was right, with the exact bounds that so few of them have."""

import math


def binomial_cdf(k, n, p):
    return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))


def solve(falls_to, value):
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if falls_to(middle) > value else (low, middle)
    return low


def interval(k, n):
    """Exact, 95 %, by Clopper and Pearson."""
    low = 0.0 if k == 0 else 1 - solve(lambda q: binomial_cdf(n - k, n, q), 0.025)
    high = 1.0 if k == n else solve(lambda p: binomial_cdf(k, n, p), 0.025)
    return low, high


def rate(found):
    if not found:
        return "-"
    k, n = sum(found), len(found)
    low, high = interval(k, n)
    return f"{k}/{n} ({100 * low:.1f}-{100 * high:.1f} %)"
