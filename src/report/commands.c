#include "report/commands.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/parse.h"
#include "gate/paired.h"
#include "report/pairs.h"

enum { FOR_AGAIN = 1, FOR_ACCEPT = 2 };

/* A scenario's, unless somebody says otherwise; and how much more is asked for than should be needed. */
enum { BUDGET_S = 60 };
#define BUDGET_ROOM 1.2

/* Options that change what is measured or how it is judged; the others only say where things go. */
static const struct {
	const char *name;
	bool takes_value;
	unsigned uses;
} kept_options[] = {
	{ "--attach", true, FOR_AGAIN },
	{ "--base", true, FOR_AGAIN },
	{ "--base-cmd", true, FOR_AGAIN },
	{ "--base-ref", true, FOR_AGAIN },
	{ "--baseline-ref", true, FOR_AGAIN },
	{ "--baselines", true, FOR_AGAIN | FOR_ACCEPT },
	{ "--budget", true, FOR_AGAIN },
	{ "--floor", true, FOR_AGAIN },
	{ "--gates", true, FOR_AGAIN },
	{ "--head", true, FOR_AGAIN },
	{ "--head-cmd", true, FOR_AGAIN },
	{ "--head-ref", true, FOR_AGAIN },
	{ "--no-confirm", false, FOR_AGAIN },
	{ "--no-profile", false, FOR_AGAIN },
	{ "--runs", true, FOR_AGAIN },
	{ "--seed", true, FOR_AGAIN },
	{ "--strict", false, FOR_AGAIN },
	{ "--tolerance", true, FOR_AGAIN },
};

/* One word of a command line that escape_shell() made; returns what follows it. */
static const char *next_word(const char *s, struct strbuf *word)
{
	bool quoted = false;

	for (; *s && (quoted || *s != ' '); s++) {
		if (*s == '\'')
			quoted = !quoted;
		else if (*s == '\\' && !quoted && s[1])
			strbuf_addc(word, *++s);
		else
			strbuf_addc(word, *s);
	}
	return s;
}

static void split_words(const char *line, struct strv *out)
{
	while (*line) {
		struct strbuf word = STRBUF_INIT;

		if (*line == ' ') {
			line++;
			continue;
		}
		line = next_word(line, &word);
		strv_take(out, strbuf_take(&word));
	}
}

static void add_word(struct strbuf *out, const char *word)
{
	strbuf_addc(out, ' ');
	escape_shell(out, word);
}

/* The words that WORDS[at] begins and that serve USE: 0 (another word), 1, or 2 (with its value). */
static size_t kept_words(const struct strv *words, size_t at, unsigned use)
{
	const char *word = words->items[at];
	size_t len = strcspn(word, "=");

	for (size_t i = 0; i < sizeof kept_options / sizeof kept_options[0]; i++) {
		if (strlen(kept_options[i].name) != len || strncmp(word, kept_options[i].name, len))
			continue;
		if (!(kept_options[i].uses & use))
			return 0;
		return kept_options[i].takes_value && word[len] != '=' && at + 1 < words->n ? 2 : 1;
	}
	return 0;
}

static void add_options(struct strbuf *out, const struct strv *words, unsigned use)
{
	for (size_t i = 0; i < words->n && strcmp(words->items[i], "--"); i++) {
		size_t n = kept_words(words, i, use);

		for (size_t k = 0; k < n; k++)
			add_word(out, words->items[i + k]);
		i += n > 1;
	}
}

/* Its name finds a scenario in the usual folder; any other is found by its path. */
static void add_scenario(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf usual = STRBUF_INIT;

	strbuf_addf(&usual, "scenarios/%s.y", scenario->name);
	if (scenario->path && strncmp(scenario->path, usual.buf, usual.len))
		add_word(out, scenario->path);
	else
		add_word(out, scenario->name);
}

static bool is_option(const char *word, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(word, name, len) && (!word[len] || word[len] == '=');
}

static bool has_option(const struct strv *words, const char *name)
{
	for (size_t i = 0; i < words->n; i++)
		if (is_option(words->items[i], name))
			return true;
	return false;
}

/* The seed, unless it was asked for; all scenarios of a result have the same. */
static void add_seed(struct strbuf *out, const struct result *result, const struct strv *words)
{
	const struct pairing *pairing = result->n_scenarios ? result->scenarios[0].pairing : NULL;

	if (pairing && !has_option(words, "--seed"))
		strbuf_addf(out, " --seed %llu", (unsigned long long)pairing->seed);
}

static void measure_again(struct strbuf *out, const struct result *result, const struct scenario_result *scenario,
			  const struct strv *words)
{
	bool paired = result->mode && !strcmp(result->mode, "paired");

	strbuf_adds(out, paired ? "pawl ab" : "pawl run");
	/* Two bare commands compared have no scenario to name. */
	if (scenario && !(paired && (!scenario->path || has_option(words, "--base-cmd"))))
		add_scenario(out, scenario);
}

void command_again(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;

	if (result->command)
		split_words(result->command, &words);
	measure_again(out, result, scenario, &words);
	add_options(out, &words, FOR_AGAIN);
	if (result->mode && !strcmp(result->mode, "paired"))
		add_seed(out, result, &words);
}

/* As many pairs as the gate that needs most of them; 0: none would tell, or none is needed. */
static double pairs_wanted(const struct scenario_result *scenario)
{
	double wanted = 0;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];

		if (gate->pairs && gate->verdict == VERDICT_INCONCLUSIVE && isfinite(gate->more_pairs))
			wanted = fmax(wanted, gate->pairs + ceil(gate->more_pairs));
	}
	return wanted;
}

static void drop_option(struct strv *words, const char *name)
{
	struct strv kept = STRV_INIT;

	for (size_t i = 0; i < words->n; i++) {
		if (!is_option(words->items[i], name))
			strv_push(&kept, words->items[i]);
		else
			i += !strchr(words->items[i], '=');
	}
	strv_release(words);
	*words = kept;
}

/* The budget of a scenario in seconds, as it was asked for, else pawl's own. */
static double budget_of(const struct strv *words)
{
	struct error unused = ERROR_INIT;
	uint64_t ns = 0;

	for (size_t i = 0; i < words->n; i++) {
		const char *value = strchr(words->items[i], '=');

		if (!is_option(words->items[i], "--budget"))
			continue;
		value = value ? value + 1 : i + 1 < words->n ? words->items[i + 1] : "";
		if (parse_duration(value, &ns, &unused) == 0)
			return (double)ns / 1e9;
	}
	return BUDGET_S;
}

/* Where the time ended before the pairs did, as much more of it as they need. */
static void decide(struct strbuf *out, const struct result *result, const struct scenario_result *scenario, double pairs)
{
	unsigned most = scenario->pairing->pairs_most ? scenario->pairing->pairs_most : PAIRS_MOST;
	double measured = (double)scenario_result_pairs(scenario), budget_s;
	CLEANUP(strv_release) struct strv words = STRV_INIT;

	if (result->command)
		split_words(result->command, &words);
	budget_s = budget_of(&words);
	drop_option(&words, "--seed");
	if (pairs > most)
		drop_option(&words, "--runs");
	if (measured < most)
		drop_option(&words, "--budget");
	measure_again(out, result, scenario, &words);
	add_options(out, &words, FOR_AGAIN);
	if (pairs > most)
		strbuf_addf(out, " --runs %.0f", pairs);
	if (measured < most && measured > 0)
		strbuf_addf(out, " --budget %.0fs", ceil(budget_s * BUDGET_ROOM * pairs / measured));
}

static void bisect(struct strbuf *out, const struct scenario_result *scenario)
{
	strbuf_adds(out, "pawl bisect");
	add_scenario(out, scenario);
	strbuf_addf(out, " --good %.12s --bad %.12s", scenario->pairing->base.commit, scenario->pairing->head.commit);
}

const char *command_next(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	double pairs = pairs_wanted(scenario);

	if (!pairs_only(scenario))
		return NULL;
	if (scenario_result_regressed(scenario)) {
		if (!scenario->path || !scenario->pairing->base.commit || !scenario->pairing->head.commit)
			return NULL;
		bisect(out, scenario);
		return "find it";
	}
	if (!(pairs > 0))
		return NULL;
	decide(out, result, scenario, pairs);
	return "decide";
}

void command_accept(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;

	if (result->command)
		split_words(result->command, &words);
	strbuf_adds(out, "pawl baseline update");
	if (scenario)
		add_scenario(out, scenario);
	add_options(out, &words, FOR_ACCEPT);
	strbuf_adds(out, " --reason \"...\"");
}
