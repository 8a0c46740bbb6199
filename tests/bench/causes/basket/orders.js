'use strict';

function parseLine(text) {
  const [item, count, cents] = text.split(':');
  return { item, count: Number(count), cents: Number(cents) };
}

// Reads lines such as "12 apple:3:120 bread:1:250": a customer and the items bought.
function readOrders(text) {
  const orders = [];
  for (const row of text.split('\n')) {
    if (!row) continue;
    const words = row.split(' ');
    orders.push({ customer: Number(words[0]), lines: words.slice(1).map(parseLine) });
  }
  return orders;
}

module.exports = { readOrders };
