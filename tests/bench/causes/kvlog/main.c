/* kvlog CONFIG OPS LOG: runs the lines of OPS: "set KEY VALUE", "get KEY", "del KEY". */
#include "kvlog.h"

#include <stdio.h>
#include <string.h>

static int do_line(struct store *s, char *line)
{
	char *save = NULL;
	const char *what = strtok_r(line, " \n", &save), *key = strtok_r(NULL, " \n", &save);
	if (!what || !key)
		return -1;
	if (strcmp(what, "set") == 0) {
		const char *value = strtok_r(NULL, "\n", &save);
		return value ? store_set(s, key, value) : -1;
	}
	return strcmp(what, "get") == 0 ? store_get(s, key) : store_delete(s, key);
}

static int do_lines(struct store *s, FILE *ops)
{
	char line[4096];
	while (fgets(line, sizeof(line), ops)) {
		if (do_line(s, line))
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct config config = { .scans = 1 };
	struct store store;
	if (argc != 4 || config_read(&config, argv[1])) {
		fprintf(stderr, "usage: kvlog CONFIG OPS LOG\n");
		return 2;
	}
	FILE *ops = fopen(argv[2], "r");
	if (!ops || store_open(&store, argv[3]) || do_lines(&store, ops) || log_flush(&store.log)) {
		perror("kvlog");
		return 1;
	}
	uint64_t sum = 0;
	for (unsigned i = 0; i < config.scans; i++)
		store_scan(&store, &sum);
	printf("%lu set, %lu got of %lu, %lu deleted, %lu bytes, keys %llx, log %llx\n", store.sets, store.hits, store.gets,
	       store.deletes, store.bytes, (unsigned long long)sum, (unsigned long long)peer_end(&store.peer));
	return 0;
}
