/* words FILE OUT: lists the words of a text by frequency. */
#include "words.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: words FILE OUT\n");
		return 2;
	}
	struct buffer text = { 0 };
	if (buffer_read(&text, argv[1])) {
		perror(argv[1]);
		return 1;
	}
	struct table table;
	table_init(&table);
	scan_words(&text, &table);
	struct word **list = calloc(table.used + 1, sizeof(*list));
	if (!list)
		abort();
	size_t n = table_list(&table, list);
	list_sort(list, n);
	FILE *out = fopen(argv[2], "w");
	if (!out) {
		perror(argv[2]);
		return 1;
	}
	list_print(list, n, out);
	fprintf(out, "%zu\n", list_lines(list, n));
	return fclose(out) ? 1 : 0;
}
