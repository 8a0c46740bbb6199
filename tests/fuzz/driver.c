/* Replaces libFuzzer where it is missing: passes each file of a corpus, and each file named, to the harness once. */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 16 << 20 };

/* Prints the file's name before it runs, so that the last line identifies a crash. */
static int give(const char *folder, const char *name)
{
	static uint8_t buf[LARGEST];
	uint8_t *exact;
	char path[4096];
	size_t size;
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "rb");
	if (!file)
		return -1;
	size = fread(buf, 1, sizeof buf, file);
	fclose(file);
	printf("%s, %zu bytes\n", path, size);
	fflush(stdout);
	/* A block of the exact size, so that a sanitizer finds reads past its end. */
	exact = malloc(size ? size : 1);
	if (!exact)
		return -1;
	for (size_t i = 0; i < size; i++)
		exact[i] = buf[i];
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
	return 0;
}

static int give_all(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int given = 0;

	if (!dir)
		return give(".", folder) == 0;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && give(folder, entry->d_name) == 0)
			given++;
	closedir(dir);
	return given;
}

int main(int argc, char **argv)
{
	int given = 0;

	for (int i = 1; i < argc; i++)
		given += give_all(argv[i]);
	printf("%d inputs\n", given);
	return given ? 0 : 1;
}
