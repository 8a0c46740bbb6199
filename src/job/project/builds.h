/*
 * Builds a project's other commits and its working tree with `build:` of pawl.yaml. Supplies what measure/git/trees
 * needs.
 */
#ifndef PAWL_JOB_PROJECT_BUILDS_H
#define PAWL_JOB_PROJECT_BUILDS_H

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
 * Prepares OUT->trees for trees_get() and trees_put(). A commit is built with `build:` of its own pawl.yaml, or with
 * the project's if it has none. SCRATCH and LOGS are as in struct trees. OUT must not move.
 */
void builds_init(struct builds *out, struct project *project, struct request *request, const char *scratch,
		 const char *logs);
/*
 * Resolves REF to its full commit, for free(). ERR_INPUT if git does not know it. OPTION ("--base") is for the
 * message.
 */
int builds_resolve(struct builds *builds, const char *option, const char *ref, char **out, struct error *err);
/* Returns COMMIT's name in reports, such as "main (1a2b3c4d5e6f)", for free(). REF may be NULL. */
char *builds_label(const char *ref, const char *commit);
/* Builds the tree at ROOT with `build:` of its pawl.yaml, if it has one. The log is LOGS/build-head.log. */
int builds_working_tree(struct builds *builds, const char *root, struct error *err);

#endif
