#include "base/parse.h"

#include <locale.h>
#include <math.h>

#include "base/mem.h"
#include "base/text.h"

/* -------- the nearest valid word */

enum { LONGEST = 64 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
	return a == b || (((a ^ b) == ('a' ^ 'A')) && (a | ' ') >= 'a' && (a | ' ') <= 'z');
}

/* Optimal string alignment, over three rolling rows. Words longer than LONGEST are never near. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
	size_t rows[3][LONGEST + 1];

	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t *now = rows[i % 3], *prev = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			now[j] = least(least(prev[j], now[j - 1]) + 1, prev[j - 1] + !same_letter(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
				now[j] = least(now[j], before[j - 2] + 1);
		}
	}
	return rows[na % 3][nb];
}

const char *nearest(const char *word, const char *const *candidates, size_t n)
{
	size_t len = strlen(word), best = LONGEST;
	const char *found = NULL;

	if (!len || len > LONGEST)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t other = strlen(candidates[i]), d;

		if (other > LONGEST)
			continue;
		d = distance(word, len, candidates[i], other);
		if (d < best && d * 3 <= (len > other ? len : other)) {
			best = d;
			found = candidates[i];
		}
	}
	return found;
}

char *nearest_hint(const char *word, const char *const *candidates, size_t n, const char *otherwise)
{
	const char *near = nearest(word, candidates, n);

	return near ? text_printf("; did you mean '%s'?", near) : xstrdup(otherwise);
}

/* -------- patterns of names */

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

/* -------- numbers, durations, sizes */

/* strtod() uses the locale's decimal comma and accepts hexadecimal, "inf" and "nan". */
static const char *scan_decimal(const char *s, double *out)
{
	char text[64];
	const char *p = s;
	size_t digits = 0;

	if (*p == '+' || *p == '-')
		p++;
	for (; text_is_digit(*p) || *p == '.'; p++)
		digits += *p != '.';
	if (digits && (*p == 'e' || *p == 'E') &&
	    (text_is_digit(p[1]) || ((p[1] == '+' || p[1] == '-') && text_is_digit(p[2]))))
		for (p += 2; text_is_digit(*p);)
			p++;
	if (!digits || (size_t)(p - s) >= sizeof text)
		return NULL;
	memcpy(text, s, (size_t)(p - s));
	text[p - s] = '\0';
	char *end;
	locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	*out = c_locale ? strtod_l(text, &end, c_locale) : strtod(text, &end);
	if (c_locale)
		freelocale(c_locale);
	return *end || !isfinite(*out) ? NULL : p;
}

int parse_u64(const char *text, uint64_t *out, struct error *err)
{
	uint64_t value = 0;

	if (!*text)
		return error_set(err, ERR_INPUT, "expected a whole number, found nothing");
	for (const char *p = text; *p; p++) {
		if (!text_is_digit(*p))
			return error_set(err, ERR_INPUT, "expected a whole number, found '%.60s'", text);
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*p - '0'), &value))
			return error_set(err, ERR_INPUT, "the number '%.60s' is too large", text);
	}
	*out = value;
	return 0;
}

struct unit {
	const char *name;
	double factor;
};

static int parse_with_unit(const char *text, const struct unit *units, const char *expected,
			   uint64_t *out, struct error *err)
{
	double value;
	const char *suffix = scan_decimal(text, &value);

	for (; suffix && units->name; units++) {
		if (strcmp(units->name, suffix))
			continue;
		value = nearbyint(value * units->factor);
		if (value < 0 || value >= 9.2e18)
			return error_set(err, ERR_INPUT, "'%.60s' is out of range", text);
		*out = (uint64_t)value;
		return 0;
	}
	return error_set(err, ERR_INPUT, "expected %s, found '%.60s'", expected, text);
}

int parse_duration(const char *text, uint64_t *ns_out, struct error *err)
{
	static const struct unit units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
		{ "m", 60e9 }, { "min", 60e9 }, { "h", 3600e9 }, { 0 },
	};

	return parse_with_unit(text, units, "a duration such as 30s", ns_out, err);
}

int parse_size(const char *text, uint64_t *bytes_out, struct error *err)
{
	static const struct unit units[] = {
		{ "", 1 }, { "B", 1 },
		{ "k", 1024 }, { "K", 1024 }, { "M", 1048576 }, { "G", 1073741824 },
		{ "KiB", 1024 }, { "MiB", 1048576 }, { "GiB", 1073741824 },
		{ "kB", 1e3 }, { "KB", 1e3 }, { "MB", 1e6 }, { "GB", 1e9 }, { 0 },
	};

	return parse_with_unit(text, units, "a size such as 512MiB", bytes_out, err);
}

static int parse_before(const char *text, const char *unit, const char *expected, double *out, struct error *err)
{
	double value;
	const char *end = scan_decimal(text, &value);

	if (!end || strcmp(end, unit))
		return error_set(err, ERR_INPUT, "expected %s, found '%.60s'", expected, text);
	*out = value;
	return 0;
}

int parse_double(const char *text, double *out, struct error *err)
{
	return parse_before(text, "", "a number", out, err);
}

int parse_percent(const char *text, double *pct_out, struct error *err)
{
	return parse_before(text, "%", "a percentage such as 5%", pct_out, err);
}

int parse_points(const char *text, double *pp_out, struct error *err)
{
	return parse_before(text, "pp", "percentage points such as 3pp", pp_out, err);
}

int parse_cpu_list(const char *text, struct error *err)
{
	const char *p = text;

	while (text_is_digit(*p)) {
		char *end;
		unsigned long low = strtoul(p, &end, 10), high = low;

		if (*end == '-' && text_is_digit(end[1]))
			high = strtoul(end + 1, &end, 10);
		if (low > high || high > 8191 || (*end && *end != ','))
			break;
		if (!*end)
			return 0;
		p = end + 1;
	}
	return error_set(err, ERR_INPUT, "expected CPUs such as 1 or 0-3,6, found '%.60s'", text);
}
