'use strict';

class Prices {
  constructor() {
    this.items = new Map();
  }

  get size() {
    return this.items.size;
  }

  see(item, cents) {
    const known = this.items.get(item);
    if (known) {
      known.seen++;
      known.cents += cents;
    } else {
      this.items.set(item, { seen: 1, cents });
    }
  }

  of(item) {
    const known = this.items.get(item);
    return known ? Math.round(known.cents / known.seen) : 0;
  }

  total() {
    let sum = 0;
    for (const known of this.items.values()) sum += known.cents;
    return sum;
  }
}

module.exports = { Prices };
