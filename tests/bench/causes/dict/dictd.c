/* dictd WORDS PORT: serves until it is stopped. */
#include "dict.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 32 };

static int listen_on(int port)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr = { htonl(INADDR_LOOPBACK) } };
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) || listen(fd, 16)) {
		perror("dictd");
		exit(1);
	}
	return fd;
}

static int greet(int listener)
{
	int fd = accept(listener, NULL, NULL), yes = 1;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	return fd;
}

int main(int argc, char **argv)
{
	static struct conn conns[MOST];
	struct pollfd polls[MOST + 1];
	unsigned n = 0;
	if (argc != 3)
		return 2;
	table_load(argv[1]);
	int listener = listen_on(atoi(argv[2]));
	for (;;) {
		polls[0] = (struct pollfd){ .fd = listener, .events = n < MOST ? POLLIN : 0 };
		for (unsigned i = 0; i < n; i++)
			polls[i + 1] = (struct pollfd){ .fd = conns[i].fd, .events = POLLIN };
		if (poll(polls, n + 1, -1) < 0)
			return 1;
		for (unsigned i = n; i-- > 0;) {
			if (polls[i + 1].revents && conn_serve(&conns[i])) {
				close(conns[i].fd);
				conns[i] = conns[--n];
			}
		}
		if (polls[0].revents)
			conns[n++] = (struct conn){ .fd = greet(listener) };
	}
}
