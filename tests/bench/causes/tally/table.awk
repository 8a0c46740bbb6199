# A table of many sales, the same each time.
BEGIN {
	print "# shop,day,item,sum"
	x = 37
	for (i = 1; i <= 50000; i++) {
		x = x * 16807 % 2147483647
		printf "shop-%d,%04d-%02d-%02d,item%d,%d\n", x % 40, 2020 + x % 4, x % 12 + 1, int(x / 12) % 28 + 1, int(x / 50) % 900, int(x / 1000) % 5000 - 100
	}
}
