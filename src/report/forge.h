/* Web addresses on GitHub and GitLab. A repository's address is https, without credentials. */
#ifndef PAWL_REPORT_FORGE_H
#define PAWL_REPORT_FORGE_H

#include <stdbool.h>

struct strbuf;

/*
 * Returns the address of the repository that git calls REMOTE, for free(); NULL if it is not one on a host called
 * github.* or gitlab.*.
 */
char *forge_repository(const char *remote);
/* True if URL is https and has no character that an address in a page or a comment could misuse. */
bool forge_is_url(const char *url);
/*
 * Append the address of COMMIT, and of PLACE ("src/a.c:12", from the top of the repository) in it. Nothing, and false,
 * without a repository or with uncommitted changes.
 */
bool forge_commit(struct strbuf *out, const char *repository, const char *commit);
bool forge_line(struct strbuf *out, const char *repository, const char *commit, const char *place);

#endif
