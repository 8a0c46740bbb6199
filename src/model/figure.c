#include "model/figure.h"

#include "base/cleanup.h"
#include "model/figure_json.h"
#include "model/figure_number.h"
#include "model/figure_regex.h"

int figure_check(const struct figure *figure, struct error *err)
{
	if (!figure->regex == !figure->json)
		return error_set(err, ERR_INPUT, "expected either a regular expression or a JSON path");
	return figure->regex ? figure_regex_check(figure->regex, err) : figure_json_check(figure->json, err);
}

int figure_find(const struct figure *figure, const struct metric *metric, const char *text, size_t len, double *out,
		struct error *err)
{
	CLEANUP(free_ptr) char *found = NULL;
	struct error why = ERROR_INIT;
	int ret;

	if (figure_check(figure, err) < 0)
		return -1;
	ret = figure->regex ? figure_regex_find(figure->regex, text, len, &found)
			    : figure_json_find(figure->json, text, len, &found);
	if (!ret)
		return 0;
	if (figure_number(found, metric, out, &why) < 0)
		return error_set(err, ERR_TARGET, "%s '%.100s' finds no number in the output: %s",
				 figure->regex ? "the regular expression" : "the JSON path",
				 figure->regex ?: figure->json, why.msg);
	return 1;
}
