/* Building a project's other commits, and its working tree, as pawl.yaml says: what measure/trees needs from cmd/. */
#ifndef PAWL_JOB_BUILDS_H
#define PAWL_JOB_BUILDS_H

#include "measure/git/trees.h"

struct error;
struct project;
struct request;

struct builds {
	struct project *project;
	struct request *request;
	struct trees trees;
};

/*
 * For trees_get() and trees_put() on OUT's trees. A commit is built by `build:` of its own pawl.yaml, or by the
 * project's where it has none. SCRATCH and LOGS are as in struct trees. OUT must stay where it is.
 */
void builds_init(struct builds *out, struct project *project, struct request *request, const char *scratch,
		 const char *logs);
/* The full commit of REF; one that git does not know is an ERR_INPUT. OPTION ("--base-ref") is for the message. For free(). */
int builds_resolve(struct builds *builds, const char *option, const char *ref, char **out, struct error *err);
/* What COMMIT, named by REF (or NULL), is called: "main (1a2b3c4d5e6f)"; for free(). */
char *builds_label(const char *ref, const char *commit);
/* Build the tree at ROOT by `build:` of its pawl.yaml, when it has one; the log is LOGS/build-head.log. */
int builds_working_tree(struct builds *builds, const char *root, struct error *err);

#endif
