BEGIN {
	srand(7)
	split("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu", word, " ")
	for (i = 0; i < 60000; i++) {
		line = i
		for (j = 0; j < 8; j++)
			line = line "," word[1 + int(rand() * 12)] int(rand() * 40)
		print line
	}
}
