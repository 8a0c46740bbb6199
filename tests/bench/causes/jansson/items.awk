BEGIN {
	srand(3)
	split("scarce heavy cheap blue green fragile", tag, " ")
	for (i = 0; i < 30000; i++)
		printf "{\"name\": \"item-%05d\", \"price\": %.2f, \"stock\": %d, \"tags\": [\"%s\", \"%s\"], \"note\": \"from shelf %d, row %d, since \\\"%d\\\"\"}\n",
			rand() * 12000, rand() * 90 + 1, rand() * 200, tag[1 + int(rand() * 6)], tag[1 + int(rand() * 6)], rand() * 50, rand() * 9, 1990 + rand() * 30
}
