#include "report/forge.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Characters of an address besides letters and digits. */
#define URL_CHARACTERS "._~/:@+-"

bool forge_is_url(const char *url)
{
	return url && text_starts(url, "https://") && text_made_of(url, URL_CHARACTERS);
}

static bool is_forge(const char *host)
{
	return text_starts(host, "github.") || text_starts(host, "gitlab.");
}

char *forge_repository(const char *remote)
{
	const char *scheme = strstr(remote, "://"), *at = scheme ? scheme + 3 : remote, *user = strchr(at, '@');
	size_t host, path;
	char *url;

	/* "https://user:token@host/path", "git@host:path", "ssh://git@host:22/path" */
	if (user && user < at + strcspn(at, "/"))
		at = user + 1;
	host = strcspn(at, scheme ? "/:" : ":");
	path = host + strcspn(at + host, scheme ? "/" : ":");
	if (!is_forge(at) || !at[path] || !at[path + 1])
		return NULL;
	url = text_printf("https://%.*s/%s", (int)host, at, at + path + 1 + (at[path + 1] == '/'));
	for (size_t len = strlen(url); url[len - 1] == '/' || text_ends(url, len, ".git"); len = strlen(url))
		url[len - (url[len - 1] == '/' ? 1 : strlen(".git"))] = '\0';
	if (forge_is_url(url))
		return url;
	free(url);
	return NULL;
}

static bool add_page(struct strbuf *out, const char *repository, const char *commit, const char *kind)
{
	if (!forge_is_url(repository) || !commit || !text_made_of(commit, ""))
		return false;
	strbuf_addf(out, "%s/%s%s/%s", repository, text_starts(repository, "https://gitlab.") ? "-/" : "", kind, commit);
	return true;
}

bool forge_commit(struct strbuf *out, const char *repository, const char *commit)
{
	return add_page(out, repository, commit, "commit");
}

bool forge_line(struct strbuf *out, const char *repository, const char *commit, const char *place)
{
	const char *colon = place ? strrchr(place, ':') : NULL;

	if (!colon || !text_made_of(place, URL_CHARACTERS) || !add_page(out, repository, commit, "blob"))
		return false;
	strbuf_addf(out, "/%.*s#L%s", (int)(colon - place), place, colon + 1);
	return true;
}
