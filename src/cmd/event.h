/*
 * Whose change is measured, as GitHub Actions tells it: the event's name, and the file that describes it.
 *
 * pull_request and all that begins so, merge_group, the push of a merge queue's branch, a workflow_run that a pull request
 * began, and a comment on a pull request are somebody else's change, which its base judges. Others are the project's own.
 */
#ifndef PAWL_CMD_EVENT_H
#define PAWL_CMD_EVENT_H

#include <stdbool.h>

struct event {
	bool foreign;	/* somebody else's change */
	char *name;	/* "pull_request"; NULL: no event */
	char *base;	/* of a foreign change: what git knows its base by; NULL: nothing tells it */
	char *shown;	/* the same for people: "origin/main" */
};

void event_read(struct event *out);
void event_release(struct event *event);
/* The event checked out another commit than HEAD, a full or shortened id: whose that is nobody tells. */
bool event_is_of_another(const char *head);

#endif
