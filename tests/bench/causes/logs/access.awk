# A log of many requests, the same each time.
BEGIN {
	x = 71
	for (i = 1; i <= 22000; i++) {
		x = x * 16807 % 2147483647
		printf "10.%d.%d.%d - - [%02d/Nov/2024:%02d:%02d:00] \"GET /page%d/item%d?q=%d HTTP/1.1\" %d %d \"agent %d\"\n", x % 3, x % 7, x % 200, x % 28 + 1, x % 24, x % 60, x % 40, x % 300, x % 90, x % 11 ? 200 : 404, x % 9000, x % 6
	}
}
