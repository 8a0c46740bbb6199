BEGIN {
	srand(9)
	split("inch foot mile furlong lightyear fathom micron", from, " ")
	split("m cm km parsec angstrom yard m", to, " ")
	for (i = 0; i < 3000; i++)
		printf "%d.%d %s\n%s\n", rand() * 900, rand() * 10, from[1 + int(rand() * 7)], to[1 + int(rand() * 7)]
}
