# So many moves of 300 items, the same each time.
BEGIN {
	x = 43
	for (i = 1; i <= 150000; i++) {
		x = x * 16807 % 2147483647
		print (x % 5 < 3 ? "in" : "out"), int(x / 7) % 90 + 1, "item" int(x / 13) % 300
	}
}
