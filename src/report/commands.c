#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "judge/judge.h"

/* A scenario's, unless somebody says otherwise; and how much more is asked for than should be needed. */
enum { BUDGET_S = 60, BISECT_BUDGETS = 3 };
#define BUDGET_ROOM 1.2

static void add_word(struct strbuf *out, const char *word)
{
	strbuf_addc(out, ' ');
	escape_shell(out, word);
}

static void add_options(struct strbuf *out, const struct strv *words)
{
	for (size_t i = 0; i < words->n; i++)
		add_word(out, words->items[i]);
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

/* The command that left a result: each is repeated in its own way. */
enum maker { MAKER_RUN, MAKER_AB, MAKER_CALIBRATE, MAKER_BISECT };

static enum maker made_by(const struct result *result)
{
	static const char *const makers[] = {
		[MAKER_RUN] = "run", [MAKER_AB] = "ab", [MAKER_CALIBRATE] = "calibrate", [MAKER_BISECT] = "bisect",
	};

	for (size_t i = 1; i < result->command.n; i++)
		for (size_t k = 0; k < sizeof makers / sizeof makers[0]; k++)
			if (!strcmp(result->command.items[i], makers[k]))
				return (enum maker)k;
	return result->mode == MODE_PAIRED ? MAKER_AB : MAKER_RUN;
}

/* Of SCENARIO; of all of them the first there is, since they have the seed and the sides in common. */
static const struct pairing *pairing_of(const struct result *result, const struct scenario_result *scenario)
{
	if (scenario)
		return scenario->pairing;
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (result->scenarios[i].pairing)
			return result->scenarios[i].pairing;
	return NULL;
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

/* A branch is somewhere else tomorrow: the commit that it was stands in its place. */
static void pin_option(struct strv *words, const char *name, const char *commit)
{
	for (size_t i = 0; i < words->n && commit; i++) {
		char *word = words->items[i];
		struct strbuf pinned = STRBUF_INIT;

		if (!is_option(word, name))
			continue;
		if (strchr(word, '='))
			strbuf_addf(&pinned, "%s=", name);
		else if (++i == words->n)
			break;
		strbuf_addf(&pinned, "%.12s", commit);
		free(words->items[i]);
		words->items[i] = strbuf_take(&pinned);
	}
}

/* What the base judged by itself, its files judge again, wherever the command is given. */
static void add_judge(const struct result *result, struct strv *words)
{
	const struct judged_by *by = &result->judged_by;

	if (!by->commit || by->own || made_by(result) != MAKER_RUN || has_option(words, "--baseline-ref"))
		return;
	strv_push(words, "--baseline-ref");
	strv_pushf(words, "%.12s", by->commit);
}

/* The options of the command that made RESULT, so that SCENARIO's comparison can be repeated with them. */
static void words_of(const struct result *result, const struct scenario_result *scenario, struct strv *out)
{
	const struct pairing *pairing = pairing_of(result, scenario);

	strv_copy(out, &result->options);
	add_judge(result, out);
	if (!pairing)
		return;
	pin_option(out, "--base-ref", pairing->base.commit);
	pin_option(out, "--head-ref", pairing->head.commit);
	/* Each scenario that is calibrated has a seed of its own. */
	if (made_by(result) == MAKER_CALIBRATE)
		drop_option(out, "--seed");
	/* A search looks at more pairs than `ab` does unless it is told. */
	if (made_by(result) == MAKER_BISECT && pairing->pairs_most && !has_option(out, "--runs")) {
		strv_push(out, "--runs");
		strv_pushf(out, "%u", pairing->pairs_most);
	}
}

/* The seed, unless it was asked for. */
static void add_seed(struct strbuf *out, const struct pairing *pairing, const struct strv *words)
{
	if (pairing && !has_option(words, "--seed"))
		strbuf_addf(out, " --seed %llu", (unsigned long long)pairing->seed);
}

static bool names_scenario(enum maker maker, const struct scenario_result *scenario, const struct strv *words)
{
	/* Two bare commands compared have no scenario to name. */
	return scenario && !(maker == MAKER_AB && (!scenario->path || has_option(words, "--base-cmd")));
}

static void measure_again(struct strbuf *out, const struct result *result, const struct scenario_result *scenario,
			  const struct strv *words)
{
	static const char *const commands[] = {
		[MAKER_RUN] = "pawl run", [MAKER_AB] = "pawl ab", [MAKER_CALIBRATE] = "pawl calibrate", [MAKER_BISECT] = "pawl ab",
	};
	enum maker maker = made_by(result);
	const struct pairing *pairing = pairing_of(result, scenario);

	strbuf_adds(out, commands[maker]);
	if (names_scenario(maker, scenario, words))
		add_scenario(out, scenario);
	/* These are never all that there are. */
	for (size_t i = 0; !scenario && i < result->n_scenarios && (maker == MAKER_CALIBRATE || maker == MAKER_BISECT); i++)
		add_scenario(out, &result->scenarios[i]);
	if (maker == MAKER_BISECT && pairing && pairing->base.commit && pairing->head.commit)
		strbuf_addf(out, " --base-ref %.12s --head-ref %.12s", pairing->base.commit, pairing->head.commit);
}

void command_again(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;

	words_of(result, scenario, &words);
	measure_again(out, result, scenario, &words);
	add_options(out, &words);
	add_seed(out, pairing_of(result, scenario), &words);
}

/* More pairs would decide it; or, where HOPELESS, no number of them within reach. */
static bool is_open(const struct gate_result *gate, bool hopeless)
{
	const struct judgement *j = gate_judgement(gate);

	return j->pairs && j->verdict == VERDICT_INCONCLUSIVE &&
	       (hopeless ? isinf(j->more_pairs) : isfinite(j->more_pairs));
}

/* As many pairs as the gate that needs most of them; 0: none would tell, or none is needed. */
static double pairs_wanted(const struct scenario_result *scenario)
{
	double wanted = 0;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];

		if (is_open(gate, false))
			wanted = fmax(wanted, gate_judgement(gate)->pairs + ceil(gate_judgement(gate)->more_pairs));
	}
	return wanted;
}

/* The budget of a scenario in seconds, as it was asked for, else pawl's own. */
static double budget_of(const struct strv *words, enum maker maker)
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
	return maker == MAKER_BISECT ? BISECT_BUDGETS * BUDGET_S : BUDGET_S;
}

/* Where the time ended before the pairs did, as much more of it as they need. */
static void decide(struct strbuf *out, const struct result *result, const struct scenario_result *scenario, double pairs)
{
	unsigned most = scenario->pairing->pairs_most ? scenario->pairing->pairs_most : PAIRS_MOST;
	double measured = (double)scenario_result_pairs(scenario), budget_s;
	CLEANUP(strv_release) struct strv words = STRV_INIT;

	words_of(result, scenario, &words);
	budget_s = budget_of(&words, made_by(result));
	drop_option(&words, "--seed");
	if (pairs > most)
		drop_option(&words, "--runs");
	if (measured < most)
		drop_option(&words, "--budget");
	measure_again(out, result, scenario, &words);
	add_options(out, &words);
	if (pairs > most)
		strbuf_addf(out, " --runs %.0f", pairs);
	if (measured < most && measured > 0)
		strbuf_addf(out, " --budget %.0fs", ceil(budget_s * BUDGET_ROOM * pairs / measured));
}

/* Beside a gate that no number of pairs would decide, which ones they do; the shell passes over it. */
static void say_what_it_decides(struct strbuf *out, const struct scenario_result *scenario)
{
	bool hopeless = false, any = false;

	for (size_t i = 0; i < scenario->n_gates; i++)
		hopeless = hopeless || is_open(&scenario->gates[i], true);
	for (size_t i = 0; hopeless && i < scenario->n_gates; i++) {
		if (!is_open(&scenario->gates[i], false))
			continue;
		strbuf_addf(out, "%s%s", any ? ", " : "  # decides only ", gate_name(&scenario->gates[i]));
		any = true;
	}
}

static void bisect(struct strbuf *out, const struct scenario_result *scenario)
{
	strbuf_adds(out, "pawl bisect");
	add_scenario(out, scenario);
	strbuf_addf(out, " --good %.12s --bad %.12s", scenario->pairing->base.commit, scenario->pairing->head.commit);
}

/* Where the pairs did not end by an interrupt, and a comparison is what was asked for. */
static bool may_decide(const struct result *result, const struct scenario_result *scenario, enum maker maker)
{
	return maker != MAKER_CALIBRATE && !result->partial && scenario->state == SCENARIO_MEASURED;
}

const char *command_next(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	double pairs = pairs_wanted(scenario);
	enum maker maker = made_by(result);

	if (!pairs_only(scenario))
		return NULL;
	if (scenario_result_regressed(scenario)) {
		/* A search has found it, or has nothing left to search. */
		if (maker != MAKER_AB || !scenario->path || !scenario->pairing->base.commit || !scenario->pairing->head.commit)
			return NULL;
		bisect(out, scenario);
		return "find it";
	}
	if (!(pairs > 0) || !may_decide(result, scenario, maker))
		return NULL;
	decide(out, result, scenario, pairs);
	say_what_it_decides(out, scenario);
	return "decide";
}

static bool was_measured(const struct scenario_result *scenario)
{
	return scenario->state == SCENARIO_MEASURED && scenario->n_runs;
}

/* `pawl baseline update` would take the runs of SCENARIO (NULL: all) as they are. */
static bool acceptable_as_it_is(const struct result *result, const struct scenario_result *scenario)
{
	if (!result->out_dir || result->partial || result->busy.n || result->mode != MODE_STORED)
		return false;
	if (scenario)
		return was_measured(scenario);
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (!was_measured(&result->scenarios[i]))
			return false;
	return result->n_scenarios;
}

/* What has no baseline yet can be accepted without a reason. */
static bool replaces_one(const struct result *result, const struct scenario_result *scenario)
{
	for (size_t i = 0; !scenario && i < result->n_scenarios; i++)
		if (result->scenarios[i].baseline_path)
			return true;
	return scenario && scenario->baseline_path;
}

void command_accept(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	const struct strv *options = &result->options;

	strbuf_adds(out, "pawl baseline update");
	if (scenario && acceptable_as_it_is(result, scenario))
		add_word(out, scenario->name);
	else if (scenario)
		add_scenario(out, scenario);
	for (size_t i = 0; i < options->n; i++) {
		if (!is_option(options->items[i], "--baselines"))
			continue;
		add_word(out, options->items[i]);
		if (!strchr(options->items[i], '=') && i + 1 < options->n)
			add_word(out, options->items[++i]);
	}
	if (acceptable_as_it_is(result, scenario)) {
		strbuf_adds(out, " --from");
		add_word(out, result->out_dir);
	}
	if (replaces_one(result, scenario))
		strbuf_adds(out, " --reason \"...\"");
}
