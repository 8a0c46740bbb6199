BEGIN {
	srand(6)
	for (i = 0; i < 260000; i++)
		printf "20%02d-%02d-%02d;account %d;account %d;%d;for the %dth time\n", rand() * 24, 1 + rand() * 12, 1 + rand() * 28, rand() * 9000, rand() * 9000, rand() * 100000, i
}
