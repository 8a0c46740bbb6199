#include "base/regex.h"

#include <string.h>

enum { LONGEST = 1000 };

int regex_compile(regex_t *out, const char *text, int flags, struct error *err)
{
	regex_t regex;
	char words[200];
	int fault;

	if (strlen(text) > LONGEST)
		return error_set(err, ERR_INPUT, "it is longer than %d bytes", LONGEST);
	for (const char *at = text; (at = strchr(at, '\\')) && at[1]; at += 2)
		if (at[1] >= '1' && at[1] <= '9')
			return error_set(err, ERR_INPUT, "back-references such as %.2s are not taken", at);
	fault = regcomp(&regex, text, flags | REG_EXTENDED);
	if (fault) {
		regerror(fault, &regex, words, sizeof words);
		return error_set(err, ERR_INPUT, "%s", words);
	}
	*out = regex;
	return 0;
}
