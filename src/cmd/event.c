#include "cmd/event.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "store/json.h"
#include "measure/files.h"

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* What git calls a branch of the repository that was cloned, and what people call it. */
static void set_branch(struct event *event, const char *branch)
{
	struct strbuf base = STRBUF_INIT, shown = STRBUF_INIT;

	if (begins(branch, "refs/heads/"))
		branch += strlen("refs/heads/");
	strbuf_addf(&base, "refs/remotes/origin/%s", branch);
	strbuf_addf(&shown, "origin/%s", branch);
	event->base = strbuf_take(&base);
	event->shown = strbuf_take(&shown);
}

static void set_commit(struct event *event, const char *commit)
{
	event->base = xstrdup(commit);
	event->shown = xstrndup(commit, 12);
}

static bool is_commit(const char *text)
{
	size_t len = strspn(text, "0123456789abcdef");

	return !text[len] && (len == 40 || len == 64);
}

/* -------- the file that describes the event */

/* The text at KEY.KEY.KEY of the payload, or NULL. */
static const char *text_at(const cJSON *payload, const char *path)
{
	while (payload && *path) {
		size_t len = strcspn(path, ".");
		CLEANUP(free_ptr) char *key = xstrndup(path, len);

		payload = cJSON_IsArray(payload) ? cJSON_GetArrayItem(payload, 0) : cJSON_GetObjectItemCaseSensitive(payload, key);
		path += len + (path[len] == '.');
	}
	return cJSON_GetStringValue(payload);
}

static bool has(const cJSON *payload, const char *a, const char *b)
{
	return cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(payload, a), b));
}

/* NULL where there is none; one that cannot be read is as good as none. */
static cJSON *read_payload(void)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *path = environment("GITHUB_EVENT_PATH");

	if (!path || file_read(path, JSON_LARGEST, &text, NULL) < 0)
		return NULL;
	return json_parse(text.buf, text.len, path, NULL);
}

/* -------- one finder an event */

static void pull_request(struct event *event, const cJSON *payload)
{
	const char *branch = environment("GITHUB_BASE_REF") ?: text_at(payload, "pull_request.base.ref");

	event->foreign = true;
	if (branch)
		set_branch(event, branch);
}

/* Its parent: the branch, or the group before it, which is judged by itself. */
static void merge_group(struct event *event, const cJSON *payload)
{
	const char *commit = text_at(payload, "merge_group.base_sha"), *branch = text_at(payload, "merge_group.base_ref");

	event->foreign = true;
	if (commit && is_commit(commit))
		set_commit(event, commit);
	else if (branch)
		set_branch(event, branch);
}

/* A queue's branch is called after the one that it is merged into: gh-readonly-queue/main/pr-7-1a2b... */
static void push(struct event *event, const cJSON *payload)
{
	static const char queue[] = "refs/heads/gh-readonly-queue/";
	const char *ref = environment("GITHUB_REF") ?: text_at(payload, "ref"), *end = NULL;
	CLEANUP(free_ptr) char *branch = NULL;

	if (!ref || !begins(ref, queue))
		return;
	ref += strlen(queue);
	for (const char *at = strstr(ref, "/pr-"); at; at = strstr(at + 1, "/pr-"))
		end = at;
	event->foreign = true;
	branch = xstrndup(ref, end ? (size_t)(end - ref) : strlen(ref));
	set_branch(event, branch);
}

/* Of a fork's pull request the list is empty; then the default branch, whose workflow this is, judges. */
static void workflow_run(struct event *event, const cJSON *payload)
{
	const char *began = text_at(payload, "workflow_run.event");
	const char *branch = text_at(payload, "workflow_run.pull_requests.0.base.ref") ?:
			     text_at(payload, "repository.default_branch");

	event->foreign = !payload || !began || begins(began, "pull_request") || !strcmp(began, "merge_group");
	if (event->foreign && branch)
		set_branch(event, branch);
}

static void comment(struct event *event, const cJSON *payload)
{
	const char *branch = text_at(payload, "repository.default_branch");

	event->foreign = !payload || has(payload, "issue", "pull_request");
	if (event->foreign && branch)
		set_branch(event, branch);
}

static const struct {
	const char *name;	/* what the event's begins with */
	void (*find)(struct event *event, const cJSON *payload);
} events[] = {
	{ "pull_request", pull_request },	/* _target, _review, _review_comment */
	{ "merge_group", merge_group },
	{ "push", push },
	{ "workflow_run", workflow_run },
	{ "issue_comment", comment },
};

void event_read(struct event *out)
{
	const char *name = environment("GITHUB_EVENT_NAME");
	struct event event = { .name = xstrdup(name) };
	cJSON *payload = name ? read_payload() : NULL;

	for (size_t i = 0; name && i < sizeof events / sizeof events[0]; i++)
		if (begins(name, events[i].name))
			events[i].find(&event, payload);
	cJSON_Delete(payload);
	*out = event;
}

void event_release(struct event *event)
{
	free(event->name);
	free(event->base);
	free(event->shown);
	*event = (struct event){ 0 };
}

bool event_is_of_another(const char *head)
{
	const char *commit = environment("GITHUB_SHA");
	size_t len = head ? strspn(head, "0123456789abcdef") : 0;

	return environment("GITHUB_EVENT_NAME") && commit && len && strncmp(commit, head, len) != 0;
}
