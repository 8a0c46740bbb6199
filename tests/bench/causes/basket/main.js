'use strict';
// main.js ORDERS OUT: lists items that customers bought together.
const fs = require('fs');
const { readOrders } = require('./orders');
const { Prices } = require('./prices');
const { countPairs, bestPairs } = require('./pairs');

function main(file, out) {
  const orders = readOrders(fs.readFileSync(file, 'utf8'));
  const prices = new Prices();
  for (const order of orders) for (const line of order.lines) prices.see(line.item, line.cents);
  const pairs = countPairs(orders);
  const report = [`${orders.length} orders, ${prices.size} items, ${prices.total()} cents`];
  for (const [pair, n] of bestPairs(pairs, 20)) report.push(`${n}\t${pair}\t${prices.of(pair.split('+')[0])}`);
  fs.writeFileSync(out, report.join('\n') + '\n');
}

main(process.argv[2], process.argv[3]);
