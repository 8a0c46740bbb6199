#include "report/commands.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "judge/pairs.h"
#include "report/document.h"
#include "report/severity.h"

/* Default time budget of a scenario, and the safety factor of a proposed budget. */
enum { BUDGET_S = 60 };
#define BUDGET_ROOM 1.2

static void add_word(struct strbuf *out, const char *word)
{
	strbuf_addc(out, ' ');
	escape_shell(out, word);
}

/* A scenario in the usual folder is found by its name, any other by its path. */
static void add_scenario(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(free_ptr) char *usual = text_printf("scenarios/%s.y", scenario->name);

	add_word(out, scenario->path && !text_starts(scenario->path, usual) ? scenario->path : scenario->name);
}

/* -------- options, as words of a command line: "--runs 5" or "--runs=5" */

static bool is_option(const char *word, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(word, name, len) && (!word[len] || word[len] == '=');
}

/* Returns the value of option NAME, "" if it has none, NULL if it was not given. */
static const char *option_value(const struct strv *words, const char *name)
{
	for (size_t i = 0; i < words->n; i++) {
		const char *joined = strchr(words->items[i], '=');

		if (is_option(words->items[i], name))
			return joined ? joined + 1 : i + 1 < words->n ? words->items[i + 1] : "";
	}
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

/* Replaces a branch by the commit it stood for, because branches move. */
static void pin_option(struct strv *words, const char *name, const char *commit)
{
	for (size_t i = 0; i < words->n && commit; i++) {
		bool joined = strchr(words->items[i], '=') != NULL;

		if (!is_option(words->items[i], name))
			continue;
		if (!joined && ++i == words->n)
			break;
		free(words->items[i]);
		words->items[i] = text_printf("%s%s%.12s", joined ? name : "", joined ? "=" : "", commit);
	}
}

/* -------- the command that left a result */

/* The kind of command; each is repeated differently. */
enum maker { MAKER_RUN, MAKER_AB, MAKER_CALIBRATE };

static const char *const makers[] = {
	[MAKER_RUN] = "run", [MAKER_AB] = "ab", [MAKER_CALIBRATE] = "calibrate",
};

struct again {
	const struct result *result;
	const struct scenario_result *scenario;
	enum maker maker;
	const struct scenario_result *paired;	/* of all: the first, because they share seed and sides */
	bool typed;			/* commands as typed, among the words */
	struct strv words;		/* options */
};

/* Commands as typed: all words of the command line after "pawl ab". */
static bool take_typed(const struct result *result, struct strv *words)
{
	const struct strv *command = &result->command;
	bool found = false;

	if (result->mode != MODE_PAIRED || !result->n_scenarios || result->scenarios[0].path)
		return false;
	for (size_t i = 1; i < command->n; i++) {
		if (!found && !strcmp(command->items[i], "ab"))
			found = true;
		else
			strv_push(words, command->items[i]);
	}
	if (!found)
		strv_release(words);
	return found;
}

static struct again again_of(const struct result *result, const struct scenario_result *scenario)
{
	struct again again = {
		.result = result, .scenario = scenario, .maker = MAKER_RUN,
		.paired = scenario && scenario->paired ? scenario : NULL,
	};
	const struct judged_by *by = &result->judged_by;
	bool found = false;

	for (size_t i = 1; i < result->command.n && !found; i++)
		for (size_t k = 0; k < sizeof makers / sizeof makers[0] && !found; k++)
			if ((found = !strcmp(result->command.items[i], makers[k])))
				again.maker = (enum maker)k;
	for (size_t i = 0; i < result->n_scenarios && !scenario && !again.paired; i++)
		again.paired = result->scenarios[i].paired ? &result->scenarios[i] : NULL;
	again.typed = take_typed(result, &again.words);
	if (!again.typed)
		strv_copy(&again.words, &result->options);
	/* A result judged by the base's files is judged by them again, whatever the working folder. */
	if (by->commit && !by->own && again.maker == MAKER_RUN && !option_value(&again.words, "--judge")) {
		strv_push(&again.words, "--judge");
		strv_pushf(&again.words, "%.12s", by->commit);
	}
	if (!again.paired)
		return again;
	/* The base may be pawl.yaml's or the event's. */
	if (again.maker == MAKER_RUN && result->mode == MODE_PAIRED && again.paired->base.commit && !option_value(&again.words, "--base")) {
		strv_push(&again.words, "--base");
		strv_push(&again.words, "");
	}
	pin_option(&again.words, "--base", again.paired->base.commit);
	pin_option(&again.words, "--head", again.paired->head.commit);
	/* Each calibrated scenario has its own seed. */
	if (again.maker == MAKER_CALIBRATE)
		drop_option(&again.words, "--seed");
	return again;
}

static void add_again(struct strbuf *out, const struct again *again, const char *more)
{
	const struct result *result = again->result;
	const struct scenario_result *scenario = again->scenario;

	strbuf_addf(out, "pawl %s%s", makers[again->maker], again->typed ? more : "");
	/* Two bare commands have no scenario to name. */
	if (scenario && again->maker != MAKER_AB)
		add_scenario(out, scenario);
	/* Calibrated scenarios are named one by one, because they need not be all. */
	for (size_t i = 0; !scenario && i < result->n_scenarios && again->maker == MAKER_CALIBRATE; i++)
		add_scenario(out, &result->scenarios[i]);
	for (size_t i = 0; i < again->words.n; i++)
		add_word(out, again->words.items[i]);
	/* After typed commands an option could belong to one of them. */
	strbuf_adds(out, again->typed ? "" : more);
}

void command_again(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf seed = STRBUF_INIT;
	struct again again;

	if (result_compares(result)) {
		escape_shell_words(out, &result->command);
		return;
	}
	again = again_of(result, scenario);
	if (again.paired && !option_value(&again.words, "--seed"))
		strbuf_addf(&seed, " --seed %llu", (unsigned long long)again.paired->pairing.seed);
	add_again(out, &again, seed.buf);
	strv_release(&again.words);
}

/* -------- what to do next */

static void decide(struct strbuf *out, struct again *again)
{
	const struct scenario_result *scenario = again->scenario;
	unsigned most = scenario->pairing.pairs_most ? scenario->pairing.pairs_most : PAIRS_MOST;
	const char *budget = option_value(&again->words, "--budget");
	double measured = (double)scenario_result_pairs(scenario), wanted = 0;
	/* The budget that was asked for, otherwise the default. */
	double budget_s = BUDGET_S;
	uint64_t ns = 0;
	CLEANUP(strbuf_release) struct strbuf decided = STRBUF_INIT, more = STRBUF_INIT;
	bool hopeless = false;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct judgement *j = gate_judgement(&scenario->gates[i]);

		if (!j->pairs || j->verdict != VERDICT_INCONCLUSIVE)
			continue;
		hopeless |= isinf(j->more_pairs);
		if (!isfinite(j->more_pairs))
			continue;
		wanted = fmax(wanted, j->pairs + ceil(j->more_pairs));
		strbuf_addf(&decided, "%s%s", decided.len ? ", " : "", gate_name(&scenario->gates[i]));
	}
	if (!(wanted > 0))
		return;
	if (budget && parse_duration(budget, &ns, &(struct error)ERROR_INIT) == 0)
		budget_s = (double)ns / 1e9;
	drop_option(&again->words, "--seed");
	if (wanted > most) {
		drop_option(&again->words, "--runs");
		drop_option(&again->words, "-r");
	}
	if (measured < most)
		drop_option(&again->words, "--budget");
	if (wanted > most)
		strbuf_addf(&more, " --runs %.0f", wanted);
	if (measured < most && measured > 0)
		strbuf_addf(&more, " --budget %.0fs", ceil(budget_s * BUDGET_ROOM * wanted / measured));
	add_again(out, again, more.buf);
	/* A shell comment, if some gate cannot be decided by any number of pairs. */
	if (hopeless)
		strbuf_addf(out, "  # decides only %s", decided.buf);
}

enum block_kind command_next(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	bool regressed = scenario_result_regressed(scenario);
	struct again again;

	if (!pairs_only(scenario))
		return BLOCK_DECIDE;
	again = again_of(result, scenario);
	if (!regressed && again.maker != MAKER_CALIBRATE && !result->partial &&
	    scenario->head.state == SCENARIO_MEASURED)
		decide(out, &again);
	if (regressed && again.maker == MAKER_RUN && scenario->base.commit && scenario->head.commit &&
	    scenario->pairing.commits != 1) {
		strbuf_addf(out, "git bisect start %.12s %.12s && git bisect run pawl run", scenario->head.commit, scenario->base.commit);
		add_scenario(out, scenario);
		strbuf_addf(out, " --base %.12s --bisect", scenario->base.commit);
	}
	strv_release(&again.words);
	return regressed ? BLOCK_FIND : BLOCK_DECIDE;
}

void command_accept(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	/* `pawl baseline update` accepts these runs without measuring. */
	bool as_it_is = result->out_dir && !result->partial && result->mode == MODE_STORED && result->n_scenarios;
	/* It finds them by itself. */
	bool found = result->latest && !result->options.n;
	/* Without a baseline no reason is needed. */
	bool replaces = false;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *one = &result->scenarios[i];

		if (scenario && one != scenario)
			continue;
		as_it_is &= one->head.state == SCENARIO_MEASURED && one->head.n_runs;
		found &= scenario_result_identified(one);
		replaces |= one->baseline_path != NULL;
	}
	strbuf_adds(out, "pawl baseline update");
	if (scenario && as_it_is && !found)
		add_word(out, scenario->name);
	else if (scenario)
		add_scenario(out, scenario);
	if (as_it_is && !found) {
		strbuf_adds(out, " --from");
		add_word(out, result->out_dir);
	}
	strbuf_adds(out, replaces ? " --reason \"...\"" : "");
}
