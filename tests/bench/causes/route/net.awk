# A net of roads between many towns, the same each time.
BEGIN {
	x = 67
	for (i = 0; i < 12000; i++)
		for (k = 1; k <= 3; k++) {
			x = x * 16807 % 2147483647
			printf "town-%d town-%d %d %s\n", i, (i + 1 + x % (k * 40)) % 12000, 1 + x % 90, x % 5 ? "road" : "rail"
		}
}
