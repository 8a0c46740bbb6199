# A table of many rows, the same each time.
BEGIN {
	x = 23
	for (i = 1; i <= 80000; i++) {
		x = x * 16807 % 2147483647
		printf "row%d key%d %s%d %d %s\n", i % 15000, x % 300, substr("abcdefghijkl", x % 9 + 1, 1 + x % 3), x % 100, x % 1000, x % 2 ? "alabama" : "wisconsin"
	}
}
