# Many orders, each of a few of 400 items, the same each time.
BEGIN {
	x = 41
	for (i = 1; i <= 24000; i++) {
		x = x * 16807 % 2147483647
		line = x % 900
		for (k = x % 7 + 2; k > 0; k--) {
			x = x * 16807 % 2147483647
			line = line " item" x % 400 ":" x % 3 + 1 ":" int(x / 9) % 5000
		}
		print line
	}
}
