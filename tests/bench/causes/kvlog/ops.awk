# Operations on the store, the same each time.
BEGIN {
	x = 5
	for (i = 1; i <= 120000; i++) {
		x = x * 16807 % 2147483647
		key = "user:" x % 30000
		what = int(x / 30000) % 10
		if (what < 6)
			printf "set %s name=%d;age=%d;mail=u%d@example.com;note=%s\n", key, x, x % 90, x % 77777, x % 3 ? "none" : "something longer than the others"
		else
			print (what < 9 ? "get " : "del ") key
	}
}
