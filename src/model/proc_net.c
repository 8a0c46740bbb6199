#include "model/proc_net.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

/* "sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode" */
enum { LOCAL = 1, STATE = 3, INODE = 9, COLUMNS };
enum { LISTEN = 0x0a };

static bool split(const char *line, const char *columns[COLUMNS])
{
	for (int i = 0; i < COLUMNS; i++) {
		line += strspn(line, " ");
		columns[i] = line;
		if (!*line || *line == '\n')
			return false;
		line += strcspn(line, " \n");
	}
	return true;
}

/* A whole number in BASE from the first character on, up to the end of its column. */
static bool number(const char *text, int base, uint64_t most, uint64_t *out)
{
	char *end;
	uint64_t value;

	if (!isxdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoull(text, &end, base);
	if (errno || value > most || (*end && *end != ' ' && *end != '\n'))
		return false;
	*out = value;
	return true;
}

bool proc_net_listener(const char *line, struct proc_listener *out)
{
	const char *columns[COLUMNS], *colon;
	uint64_t port, state, inode;

	if (!split(line, columns) || !number(columns[STATE], 16, UINT8_MAX, &state) || state != LISTEN)
		return false;
	colon = strchr(columns[LOCAL], ':');
	if (!colon || colon > columns[LOCAL + 1] || !number(colon + 1, 16, UINT16_MAX, &port) ||
	    !number(columns[INODE], 10, UINT64_MAX, &inode) || !inode)
		return false;
	*out = (struct proc_listener){ .port = (unsigned)port, .inode = inode };
	return true;
}

bool proc_net_socket(const char *link, uint64_t *inode_out)
{
	static const char before[] = "socket:[";
	uint64_t inode;
	char *end;

	if (strncmp(link, before, sizeof before - 1) || !isdigit((unsigned char)link[sizeof before - 1]))
		return false;
	errno = 0;
	inode = strtoull(link + sizeof before - 1, &end, 10);
	if (errno || strcmp(end, "]"))
		return false;
	*inode_out = inode;
	return true;
}
