BEGIN {
	srand(11)
	print "<?xml version=\"1.0\"?>\n<orders>"
	for (i = 0; i < 50000; i++) {
		printf "  <order number=\"%d\" customer=\"c%d &amp; sons\">\n", i, rand() * 6000
		n = 1 + int(rand() * 5)
		for (j = 0; j < n; j++)
			printf "    <line item=\"i%d\" count=\"%d\" cents=\"%d\">as ordered</line>\n", rand() * 900, 1 + rand() * 9, 50 + rand() * 2000
		print "  </order>"
	}
	print "</orders>"
}
