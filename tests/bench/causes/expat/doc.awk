# A document of many items, the same each time.
BEGIN {
	x = 41
	print "<?xml version=\"1.0\"?>\n<list>"
	for (i = 1; i <= 40000; i++) {
		x = x * 16807 % 2147483647
		printf "<item%d zone=\"%d\" id=\"i%d\" kind%d=\"a &lt; b\"><name>thing number %d &amp; more</name><note lang=\"en\">some words, %d of them, and \"quotes\"</note></item%d>\n", x % 700, x % 9, i, x % 90, i, x % 1000, x % 700
	}
	print "</list>"
}
