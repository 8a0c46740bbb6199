BEGIN {
	srand(13)
	for (i = 0; i < 80000; i++)
		printf "10.0.%d.%d - - [12/Nov/2026:%02d:%02d:%02d +0000] \"%s /page/%d.html?x=%d HTTP/1.1\" %d %d \"-\" \"agent %d\"\n", rand() * 4, rand() * 250, rand() * 24, rand() * 60, rand() * 60, (rand() < 0.9 ? "GET" : "POST"), rand() * 400, rand() * 9, (rand() < 0.95 ? 200 : 404), rand() * 90000, rand() * 30
}
