#include "job/sides/loaded.h"

#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/evidence.h"
#include "cause/ledger/system_calls.h"
#include "measure/tools/strace.h"
#include "measure/perf/target_run.h"
#include "measure/files/elf.h"
#include "measure/files/files.h"
#include "measure/process/interrupt.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "measure/run/system.h"
#include "measure/services/attach.h"
#include "measure/services/env.h"
#include "measure/services/service_run.h"

/* Longest trace. A program loads what it needs at its start, so a longer run is cut here. */
#define TRACE_NS (6 * NS_PER_S)

static void identify(struct evidence *e, const char *path, const char *cwd)
{
	CLEANUP(free_ptr) char *whole = *path == '/' ? xstrdup(path) : file_join(cwd, path), *id = elf_identity(whole);

	if (!id)
		return;
	ARENA_GROW(&e->arena, e->libraries, e->n_libraries, e->cap_libraries);
	e->libraries[e->n_libraries++] = (struct loaded_file){ arena_strdup(&e->arena, whole), arena_strdup(&e->arena, id) };
}

void loaded_identify(struct evidence *evidence, const char *cwd)
{
	const struct system_calls *calls = &evidence->system_calls;

	if (evidence->own.program) {
		CLEANUP(strv_release) struct strv compilers = STRV_INIT;

		elf_compilers(evidence->own.program, &compilers);
		arena_push_all(&evidence->arena, &evidence->compilers, &compilers);
	}
	for (size_t i = 0; i < calls->programs.n; i++)
		identify(evidence, calls->programs.items[i], cwd);
	for (size_t i = 0; i < calls->libraries.n; i++)
		identify(evidence, calls->libraries.items[i], cwd);
}

/* -------- before any pair */

static int trace(struct system *const systems[], unsigned n, struct loaded *out, struct error *err)
{
	const struct strace_wish wish = { .calls = out->wanted ? ACCESSES_CALLS "," STRACE_LOADS : STRACE_LOADS,
					  .limit_ns = out->limit_ns > TRACE_NS ? out->limit_ns : TRACE_NS };
	struct strace_text texts[AT_ONCE_MOST] = { { .text = STRBUF_INIT }, { .text = STRBUF_INIT } };
	struct target_spec specs[AT_ONCE_MOST];
	int ret = system_specs(systems, n, specs, err);

	clock_gettime(CLOCK_REALTIME, &out->began);
	for (unsigned i = 0; i < n && ret == 0; i++)
		specs[i].child.lines = system_printed(systems[i]);
	if (ret == 0)
		ret = strace_run(systems[0]->session, specs, n, &wish, texts, err);
	out->complete = true;
	for (unsigned i = 0; i < n; i++) {
		system_printed_end(systems[i], ret == 0 && !texts[i].cut);
		if (ret == 0)
			ret = strace_read(texts[i].text.buf, texts[i].text.len, &out->calls[i], err);
		if (ret == 0 && out->wanted)
			ret = strace_read_accesses(texts[i].text.buf, texts[i].text.len, systems[i]->env.plan->cwd, &out->accesses[i], err);
		out->complete = out->complete && !texts[i].cut;
		strbuf_release(&texts[i].text);
	}
	return ret;
}

static void look_at(const struct process *process, struct system_calls *out)
{
	CLEANUP(free_ptr) char *link = text_printf("/proc/%d/exe", (int)process->pid);
	CLEANUP(strbuf_release) struct strbuf maps = STRBUF_INIT;
	uint32_t exec = (uint32_t)out->n_execs;
	char path[4096];
	ssize_t len = readlink(link, path, sizeof path - 1);

	if (len <= 0 || !process_read_file(process->pid, "maps", &maps))
		return;
	path[len] = '\0';
	*ARENA_ADD(&out->arena, out->execs, out->n_execs, out->cap_execs) = (struct traced_exec){ .path = arena_strdup(&out->arena, path) };
	/* "7f00-7f01 r-xp 00000000 08:01 12 /usr/lib/libc.so.6", several lines a file. */
	for (char *line = maps.buf, *end; *line; line = end + (*end == '\n')) {
		char *file;

		end = line + strcspn(line, "\n");
		file = memchr(line, '/', (size_t)(end - line));
		if (!file || (out->n_opens && out->opens[out->n_opens - 1].exec == exec &&
			      !strncmp(out->opens[out->n_opens - 1].path, file, (size_t)(end - file)) &&
			      !out->opens[out->n_opens - 1].path[end - file]))
			continue;
		ARENA_GROW(&out->arena, out->opens, out->n_opens, out->cap_opens);
		out->opens[out->n_opens++] = (struct traced_open){ arena_strndup(&out->arena, file, (size_t)(end - file)), exec };
	}
}

static int look_at_target(struct system *system, struct system_calls *out, struct error *err)
{
	CLEANUP(processes_release) struct processes processes = { 0 };
	const struct strv *names = &system->env.plan->scenario->target_services;

	for (size_t i = 0; i < names->n && !system->attached.label; i++) {
		const struct service_run *service = env_find(&system->env, names->items[i]);

		if (service && service_run_processes(service, &processes, err) < 0)
			return -1;
	}
	if (system->attached.label)
		attach_list(&system->attached, &processes);
	for (size_t i = 0; i < processes.n; i++)
		look_at(&processes.items[i], out);
	return 0;
}

/* The start may have left no trace. */
static int read_start(const struct env_trace *trace, struct system_calls *out, struct error *err)
{
	return trace->text.len ? strace_read(trace->text.buf, trace->text.len, out, err) : 0;
}

int loaded_take(struct system *const systems[], unsigned n, const struct env_trace *traces, struct loaded *out, struct error *err)
{
	int ret = 0;

	if (!plan_attaches(systems[0]->env.plan))
		return trace(systems, n, out, err);
	out->complete = false;
	for (unsigned i = 0; i < n && ret == 0; i++) {
		ret = read_start(&traces[i], &out->calls[i], err);
		if (ret == 0)
			ret = look_at_target(systems[i], &out->calls[i], err);
	}
	return ret;
}

void loaded_release(struct loaded *loaded)
{
	for (unsigned i = 0; i < 2; i++) {
		system_calls_release(&loaded->calls[i]);
		accesses_release(&loaded->accesses[i]);
	}
}
