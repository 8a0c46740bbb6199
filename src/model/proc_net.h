/*
 * Lines of /proc/net/tcp and /proc/net/tcp6: who listens. A socket is known by its inode, which
 * /proc/PID/fd shows as "socket:[INODE]".
 */
#ifndef PAWL_MODEL_PROC_NET_H
#define PAWL_MODEL_PROC_NET_H

#include <stdbool.h>
#include <stdint.h>

struct proc_listener {
	unsigned port;			/* in the host's order */
	uint64_t inode;
};

/* True when LINE is a socket that listens; the heading and connections are not. */
bool proc_net_listener(const char *line, struct proc_listener *out);
/* The inode in a link such as "socket:[12345]"; false when LINK is something else. */
bool proc_net_socket(const char *link, uint64_t *inode_out);

#endif
