#include "base/glob.h"

#include <stddef.h>

bool glob_match(const char *glob, const char *text)
{
	const char *star = NULL, *retry = NULL;

	while (*text) {
		if (*glob == '*') {
			star = glob++;
			retry = text;
		} else if (*glob == '?' || *glob == *text) {
			glob++;
			text++;
		} else if (star) {
			glob = star + 1;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (*glob == '*')
		glob++;
	return !*glob;
}
