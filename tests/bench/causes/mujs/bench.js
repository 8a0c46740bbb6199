// Makes invoices from random orders and sums them up.
var seed = 17;
function random(n) { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % n; }

var items = ["bread", "butter", "milk", "cheese", "apples", "pears", "coffee", "tea", "sugar", "flour", "rice", "beans"];
var customers = {};

function order(number) {
	var lines = [], n = 1 + random(6), i;
	for (i = 0; i < n; ++i)
		lines.push({ item: items[random(items.length)], count: 1 + random(9), cents: 50 + random(900) });
	return { number: number, customer: "customer-" + random(400), lines: lines };
}

function total(o) {
	var sum = 0, i;
	for (i = 0; i < o.lines.length; ++i)
		sum += o.lines[i].count * o.lines[i].cents;
	return sum;
}

function invoice(o) {
	var text = o.number + ";" + o.customer.replace(/customer-/, "C") + ";", i;
	for (i = 0; i < o.lines.length; ++i)
		text += o.lines[i].item.substring(0, 3) + "x" + o.lines[i].count + ",";
	return text + total(o);
}

for (var i = 0; i < 12000; ++i) {
	var o = order(i);
	var known = customers[o.customer] || (customers[o.customer] = { orders: 0, cents: 0, seen: {} });
	known.orders++;
	known.cents += total(o);
	known.seen["item" + o.lines[0].item + (i % 50)] = i;
	print(invoice(o));
}

var names = Object.keys(customers).sort(function (a, b) { return customers[b].cents - customers[a].cents; });
print(JSON.stringify(names.slice(0, 20)));
