BEGIN {
	srand(5)
	print "<table>"
	for (i = 0; i < 450; i++) {
		printf "<tr class=\"%s\">", i % 2 ? "odd" : "even"
		for (j = 0; j < 5; j++)
			printf "<td>%d.%02d</td>", rand() * 300, rand() * 100
		print "</tr>"
	}
	print "</table>"
}
