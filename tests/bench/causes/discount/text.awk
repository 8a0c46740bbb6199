# A text with headings, lists, links, code and quotes, the same each time.
BEGIN {
	x = 29
	for (i = 1; i <= 9000; i++) {
		x = x * 16807 % 2147483647
		what = x % 9
		words = "some *plain* words & \"more\" of **them** with `code" x % 50 "` and a [link](http://example.com/" x % 99 "?a=1&b=2)"
		if (what == 0)
			print "# Heading " i "\n"
		else if (what == 1)
			print "- item " words "\n- another <b>item</b>\n    1. nested " x % 7 "\n"
		else if (what == 2)
			print "```c\nint x = a < b && c > " x % 100 ";\nreturn \"text\";\n```\n"
		else if (what == 3)
			print "> quoted " words "\n> and on\n"
		else
			print words ", then " words ".\nA second line with ![image](i" x % 9 ".png) and <http://auto.link/" x % 77 ">.\n"
	}
}
