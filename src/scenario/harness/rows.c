#include "scenario/harness/rows.h"

#include <math.h>

#include "model/metrics/metric.h"

enum { HASH_LONGEST = 17 };

/* Returns NAME as it can be shown and stored, or NULL. */
static const char *clean_name(struct arena *arena, const char *name)
{
	struct strbuf out = STRBUF_INIT;

	for (const char *p = name ?: ""; *p;) {
		uint32_t code;
		size_t len = utf8_decode(p, &code);

		if (len && code >= ' ' && code != 0x7f)
			strbuf_add(&out, p, len);
		else
			strbuf_addc(&out, '?');
		p += len ? len : 1;
	}
	/* It must not be mistaken for a metric of pawl's own. */
	if (out.len && metric_name_taken(out.buf))
		strbuf_adds(&out, " (benchmark)");
	/* Long names end in a number that tells them apart. */
	if (out.len > METRIC_BENCHMARK_LONGEST) {
		unsigned long long hash = fnv_text(FNV_START, out.buf);

		strbuf_truncate(&out, utf8_clip(out.buf, METRIC_BENCHMARK_LONGEST - HASH_LONGEST));
		strbuf_addf(&out, "~%016llx", hash);
	}
	if (!out.len) {
		strbuf_release(&out);
		return NULL;
	}
	return arena_take(arena, strbuf_take(&out));
}

void rows_add(struct rows *rows, const struct row *row)
{
	struct row copy = *row;

	copy.of.name = clean_name(&rows->arena, row->of.name);
	if (!copy.of.name) {
		rows->unnamed++;
		return;
	}
	copy.of.unit = arena_strdup(&rows->arena, row->of.unit ?: "ms");
	copy.of.why = arena_strdup(&rows->arena, row->of.why);
	copy.of.value = copy.of.why ? NAN : row->of.value;
	copy.at = rows->n;
	*ARENA_ADD(&rows->arena, rows->items, rows->n, rows->cap) = copy;
}

void row_measure(struct row *row, double number, const char *unit)
{
	static const struct { const char *unit, *as; double factor; } units[] = {
		{ "ns", "ms", 1e-6 }, { "us", "ms", 1e-3 }, { "ms", "ms", 1 }, { "s", "ms", 1e3 }, { "B", "B", 1 }, { "KiB", "KiB", 0x1p10 },
		{ "MiB", "MiB", 0x1p20 }, { "GiB", "GiB", 0x1p30 }, { "count", "count", 1 },
	};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (!unit || strcmp(units[i].unit, unit))
			continue;
		row->of.value = number * units[i].factor;
		row->of.unit = units[i].as;
		if (!row->of.why && (!isfinite(number) || !(number > 0)))
			row->of.why = "its value is not a positive number";
		return;
	}
	row->of.unit = "ms";
	row->of.why = row->of.why ?: "its unit is unknown";
}
