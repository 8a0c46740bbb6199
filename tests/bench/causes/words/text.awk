# A text of many lines, the same each time.
BEGIN {
	lines = 90000
	x = 11
	for (i = 1; i <= lines; i++) {
		line = ""
		for (j = 0; j < 12; j++) {
			x = x * 16807 % 2147483647
			y = x % 4000
			z = x % 17
			line = line (z ? "word" : "Term") int(y * y / 4000) (z == 3 ? ", " : " ")
		}
		print line
	}
}
