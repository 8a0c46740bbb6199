"""Rates of what was right, with the exact bounds that so few of them have, and the rank test of other tools."""

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


def rank_p(base, head):
    """Exact one-sided p of "head is slower" by Mann and Whitney."""
    n, m = len(base), len(head)
    wins = sum((h > b) + (h == b) / 2 for h in head for b in base)
    ways = [[1] + [0] * (n * m) for _ in range(n + 1)]  # ways[i][u]: i of base among the heads so far
    for _ in range(m):
        for i in range(1, n + 1):
            ways[i] = [ways[i][u - i] if u >= i else 0 for u in range(n * m + 1)]
            ways[i] = [a + b for a, b in zip(ways[i], ways[i - 1])]
    return sum(ways[n][math.ceil(wins):]) / sum(ways[n])


def ranks_differ(base, head, level):
    """Two-sided test of Mann and Whitney, exact up to 20 values and normal with the correction for continuity above."""
    n, m = len(base), len(head)
    if max(n, m) <= 20:
        return 2 * min(rank_p(base, head), rank_p(head, base)) < level
    wins = sum((h > b) + (h == b) / 2 for h in head for b in base)
    z = (abs(wins - n * m / 2) - 0.5) / math.sqrt(n * m * (n + m + 1) / 12)
    return math.erfc(z / math.sqrt(2)) < level
