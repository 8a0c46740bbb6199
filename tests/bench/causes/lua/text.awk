# A text of many lines, the same each time.
BEGIN {
	x = 17
	for (i = 1; i <= 9000; i++) {
		line = ""
		for (j = 0; j < 8; j++) {
			x = x * 16807 % 2147483647
			n = x % 600
			word = ""
			for (k = 0; k < 3; k++) {
				word = word substr("bcdfghklmnprstvw", n % 16 + 1, 1) substr("aeiou", n % 5 + 1, 1)
				n = int(n / 5) + 3 * k
			}
			line = line word " "
		}
		print line
	}
}
