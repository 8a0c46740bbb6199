/*
 * catalog ITEMS OUT: reads items, one JSON object per line, keeps the newest of
 * each, raises its price, and writes all as one document.
 */
#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *known;

static void fail(const char *what)
{
	fprintf(stderr, "catalog: %s\n", what);
	exit(1);
}

static double raised(const json_t *item)
{
	double price = json_number_value(json_object_get(item, "price"));
	const json_t *tags = json_object_get(item, "tags");
	for (size_t i = 0; i < json_array_size(tags); i++)
		if (!strcmp(json_string_value(json_array_get(tags, i)), "scarce"))
			price *= 1.1;
	return price * 1.02;
}

static void take(const char *line)
{
	json_error_t error;
	json_t *item = json_loads(line, 0, &error);
	if (!item)
		fail(error.text);
	const char *name = json_string_value(json_object_get(item, "name"));
	json_object_set_new(item, "price", json_real(raised(item)));
	json_object_set_new(known, name, item);
}

static void read_items(const char *path)
{
	FILE *from = fopen(path, "r");
	if (!from)
		fail(path);
	char *line = NULL;
	size_t room = 0;
	while (getline(&line, &room, from) > 0)
		take(line);
	free(line);
	fclose(from);
}

static void write_items(const char *path)
{
	FILE *to = fopen(path, "w");
	if (!to || json_dumpf(known, to, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(6)) || fclose(to))
		fail(path);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		fail("ITEMS and OUT are wanted");
	json_object_seed(17);
	known = json_object();
	read_items(argv[1]);
	write_items(argv[2]);
	json_decref(known);
	return 0;
}
