#include "measure/ci/ci.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "store/store.h"

static const char *environment(const char *name)
{
	const char *value = name ? getenv(name) : NULL;

	return value && *value ? value : NULL;
}

static void set_base(struct ci *out, const char *commit, const char *branch)
{
	if (commit && !commit[strspn(commit, "0123456789abcdef")] && (strlen(commit) == 40 || strlen(commit) == 64)) {
		out->base = xstrdup(commit);
		out->shown = xstrndup(commit, 12);
	} else if (branch) {
		/* Git's name for a branch of the cloned repository, and the usual one. */
		branch += text_starts(branch, "refs/heads/") ? strlen("refs/heads/") : 0;
		out->base = text_printf("refs/remotes/origin/%s", branch);
		out->shown = text_printf("origin/%s", branch);
	}
}

static const char *text_at(const cJSON *payload, const char *path)
{
	return cJSON_GetStringValue(json_at(payload, path));
}

/* Returns "main" for refs/heads/gh-readonly-queue/main/pr-7-1a2b...; for free(), or NULL. */
static char *queued_branch(const char *ref)
{
	static const char queue[] = "refs/heads/gh-readonly-queue/";
	const char *end = NULL;

	if (!ref || !text_starts(ref, queue))
		return NULL;
	ref += strlen(queue);
	for (const char *at = strstr(ref, "/pr-"); at; at = strstr(at + 1, "/pr-"))
		end = at;
	return xstrndup(ref, end ? (size_t)(end - ref) : strlen(ref));
}

static void read_github(struct ci *out, const char *name)
{
	const char *path = environment("GITHUB_EVENT_PATH"), *branch = NULL, *commit = NULL;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *queued = NULL;
	cJSON *payload = NULL;

	if (path && file_read(path, JSON_LARGEST, &text, NULL) == 0)
		payload = json_parse(text.buf, text.len, path, NULL);

	/* Also pull_request_target, pull_request_review and pull_request_review_comment. */
	if (text_starts(name, "pull_request")) {
		out->foreign = true;
		branch = environment("GITHUB_BASE_REF") ?: text_at(payload, "pull_request.base.ref");
	} else if (text_starts(name, "merge_group")) {
		/* The branch, or the group before it, which is judged separately. */
		out->foreign = true;
		commit = text_at(payload, "merge_group.base_sha");
		branch = text_at(payload, "merge_group.base_ref");
	} else if (text_starts(name, "push")) {
		branch = queued = queued_branch(environment("GITHUB_REF") ?: text_at(payload, "ref"));
		out->foreign = branch != NULL;
	} else if (text_starts(name, "workflow_run")) {
		const char *began = text_at(payload, "workflow_run.event");

		/* A fork's pull request is not listed. The default branch, which has this workflow, then judges it. */
		out->foreign = !payload || !began || text_starts(began, "pull_request") ||
			       !strcmp(began, "merge_group");
		branch = text_at(payload, "workflow_run.pull_requests[0].base.ref") ?: text_at(payload, "repository.default_branch");
	} else if (text_starts(name, "issue_comment")) {
		out->foreign = !payload || cJSON_IsObject(json_at(payload, "issue.pull_request"));
		branch = text_at(payload, "repository.default_branch");
	}
	if (out->foreign)
		set_base(out, commit, branch);
	cJSON_Delete(payload);
}

/* For each way to start a job. The first row that fits counts. */
static const struct job_kind {
	const char *event;	/* tells why the job runs */
	const char *value;	/* of it; NULL: any */
	const char *ref;	/* git's name for what judges an unmerged change */
	const char *target, *branch;	/* or its base: a commit, which may be unset; a branch */
	const char *commit;	/* that the job began with */
	void (*read)(struct ci *out, const char *event);
	const char *told_by;	/* instead of the branch's variable */
} job_kinds[] = {
#define MERGE_REQUEST .target = "CI_MERGE_REQUEST_TARGET_BRANCH_SHA", .branch = "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
	{ "PAWL_JUDGE", .ref = "PAWL_JUDGE" },
	{ "GITHUB_EVENT_NAME", .commit = "GITHUB_SHA", .read = read_github, .told_by = "GITHUB_BASE_REF or the file of GITHUB_EVENT_PATH" },
	{ "CI_PIPELINE_SOURCE", "merge_request_event", MERGE_REQUEST },
	{ "CI_MERGE_REQUEST_IID", MERGE_REQUEST },	/* of a child pipeline */
	{ "CI_EXTERNAL_PULL_REQUEST_IID", .branch = "CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME" },
	{ "CI_PIPELINE_SOURCE", .commit = "CI_COMMIT_SHA" },
	{ "CHANGE_ID", .branch = "CHANGE_TARGET" },	/* Jenkins */
};

static const struct job_kind *find_kind(void)
{
	for (size_t i = 0; i < sizeof job_kinds / sizeof *job_kinds; i++) {
		const char *event = environment(job_kinds[i].event);

		if (event && (!job_kinds[i].value || !strcmp(event, job_kinds[i].value)))
			return &job_kinds[i];
	}
	return NULL;
}

void ci_read(struct ci *out)
{
	const struct job_kind *kind = find_kind();
	const char *event = kind ? environment(kind->event) : NULL, *ref = kind ? environment(kind->ref) : NULL;

	*out = (struct ci){ 0 };
	if (!kind)
		return;
	out->why = text_printf("%s is %.60s", kind->event, event);
	out->told_by = kind->told_by ?: kind->branch;
	out->commit = environment(kind->commit);
	if (kind->read) {
		kind->read(out, event);
		return;
	}
	out->foreign = kind->ref || kind->branch;
	if (ref) {
		out->base = xstrdup(ref);
		out->shown = xstrdup(ref);
	} else {
		set_base(out, environment(kind->target), environment(kind->branch));
	}
}

void ci_release(struct ci *ci)
{
	free(ci->why);
	free(ci->base);
	free(ci->shown);
	*ci = (struct ci){ 0 };
}

const char *ci_base(void)
{
	return environment("PAWL_BASE");
}

char *ci_repository(void)
{
	const char *server = environment("GITHUB_SERVER_URL"), *name = environment("GITHUB_REPOSITORY");

	return server && name ? text_printf("%s/%s", server, name) : NULL;
}

char *ci_run(void)
{
	CLEANUP(free_ptr) char *repository = ci_repository();
	const char *id = environment("GITHUB_RUN_ID"), *own = environment("PAWL_RUN_URL");

	if (!own && repository && id && text_made_of(id, ""))
		return text_printf("%s/actions/runs/%s", repository, id);
	return xstrdup(own ?: environment("CI_JOB_URL") ?: environment("BUILD_URL"));
}
