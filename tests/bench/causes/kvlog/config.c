/* Settings: lines "name value". */
#include "kvlog.h"

#include <stdio.h>
#include <string.h>

static int config_line(struct config *c, const char *line)
{
	char name[32];
	unsigned value;
	if (line[0] == '#' || line[0] == '\n')
		return 0;
	if (sscanf(line, "%31s %u", name, &value) != 2)
		return -1;
	if (strcmp(name, "scans") == 0)
		c->scans = value;
	else if (strcmp(name, "limit") == 0)
		c->limit = value;
	return 0;
}

int config_read(struct config *c, const char *path)
{
	char line[256];
	FILE *file = fopen(path, "r");
	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file)) {
		if (config_line(c, line)) {
			fclose(file);
			return -1;
		}
	}
	return fclose(file);
}
