# A text of many paragraphs, the same each time.
BEGIN {
	x = 31
	split("the of and to house garden river walks under between seldom gently bright water stone morning letters paper answer quiet", w)
	for (i = 1; i <= 2500; i++) {
		for (j = 0; j < 5; j++) {
			line = ""
			for (k = 0; k < 12; k++) {
				x = x * 16807 % 2147483647
				word = w[x % 20 + 1]
				if (x % 3 == 0)
					word = word substr("abcdefghijklmnop", int(x / 100) % 13 + 1, 1 + x % 4)
				line = line word " "
			}
			print line
		}
		print ""
	}
}
