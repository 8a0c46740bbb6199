#include "model/commit.h"

#include <stdlib.h>

#include "base/mem.h"

void commits_drop(struct commits *commits, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(commits->items[i].id);
		free(commits->items[i].author);
		free(commits->items[i].date);
		free(commits->items[i].subject);
	}
	commits->n -= n;
	for (size_t i = 0; i < commits->n; i++)
		commits->items[i] = commits->items[n + i];
}

void commits_release(struct commits *commits)
{
	commits_drop(commits, commits->n);
	free(commits->items);
	*commits = (struct commits){ 0 };
}

void commits_add(struct commits *commits, const char *id, const char *author, const char *date, const char *subject)
{
	VEC_GROW(commits->items, commits->n, commits->cap);
	commits->items[commits->n++] = (struct commit){
		.id = xstrdup(id), .author = xstrdup(author), .date = xstrdup(date), .subject = xstrdup(subject),
	};
}
