#include "model/figure_number.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/parse.h"

/* More characters than any number has. */
enum { NUMBER_LONGEST = 64 };

/* Go writes microseconds with a Greek letter: the micro sign, or a mu. */
static void replace_mu(char *text)
{
	char *mu = strstr(text, "\xc2\xb5");

	if (!mu)
		mu = strstr(text, "\xce\xbc");
	if (!mu)
		return;
	*mu = 'u';
	memmove(mu + 1, mu + 2, strlen(mu + 2) + 1);
}

static int read_duration(const char *text, double *out, struct error *err)
{
	uint64_t ns;

	if (parse_duration(text, &ns, err) < 0)
		return -1;
	*out = (double)ns / 1e6;
	return 0;
}

static int read_size(const char *text, double *out, struct error *err)
{
	uint64_t bytes;

	if (parse_size(text, &bytes, err) < 0)
		return -1;
	*out = (double)bytes;
	return 0;
}

static int read_share(const char *text, double *out, struct error *err)
{
	double pct;

	if (parse_percent(text, &pct, err) < 0)
		return -1;
	*out = pct / 100;
	return 0;
}

static int read_with_unit(const char *text, const struct metric *metric, double *out, struct error *err)
{
	switch (metric ? metric->unit : UNIT_COUNT) {
	case UNIT_MS:
		return read_duration(text, out, err);
	case UNIT_BYTES:
		return read_size(text, out, err);
	case UNIT_FRACTION:
		return read_share(text, out, err);
	default:
		return parse_double(text, out, err);
	}
}

static char *trimmed(const char *text)
{
	size_t len;

	text += strspn(text, " \t");
	len = strlen(text);
	while (len && strchr(" \t", text[len - 1]))
		len--;
	return xstrndup(text, len);
}

int figure_number(const char *text, const struct metric *metric, double *out, struct error *err)
{
	CLEANUP(free_ptr) char *number = trimmed(text);
	double value;

	if (strlen(number) > NUMBER_LONGEST)
		return error_set(err, ERR_INPUT, "expected a number, found '%.60s...'", number);
	replace_mu(number);
	if (parse_double(number, &value, NULL) == 0)
		value *= metric && metric->factor != 0 ? metric->factor : 1;
	else if (read_with_unit(number, metric, &value, err) < 0)
		return -1;
	if (value < 0 || !isfinite(value))
		return error_set(err, ERR_INPUT, "expected a number that is not negative, found '%.60s'", number);
	*out = value;
	return 0;
}
