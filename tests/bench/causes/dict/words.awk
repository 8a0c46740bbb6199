BEGIN {
	srand(12)
	for (i = 0; i < 20000; i++)
		printf "word%05d means number %d in a list of %d, as was said before\n", i, rand() * 1000, rand() * 100
}
