'use strict';

function nameOf(a, b) {
  return a < b ? `${a}+${b}` : `${b}+${a}`;
}

// Counts how often two items were in the same order.
function countPairs(orders) {
  const pairs = new Map();
  for (const order of orders) {
    const items = order.lines.map((line) => line.item);
    for (let i = 0; i < items.length; i++)
      for (let k = i + 1; k < items.length; k++) {
        const pair = nameOf(items[i], items[k]);
        pairs.set(pair, (pairs.get(pair) || 0) + 1);
      }
  }
  return pairs;
}

function bestPairs(pairs, n) {
  return [...pairs].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, n);
}

module.exports = { countPairs, bestPairs };
