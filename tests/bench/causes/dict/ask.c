/* ask PORT COUNT: asks for COUNT words, 20 at a time, and prints the number of answers. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int count = argc == 3 ? atoi(argv[2]) : 0, answers = 0;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[1])), .sin_addr = { htonl(INADDR_LOOPBACK) } };
	if (connect(fd, (struct sockaddr *)&at, sizeof(at)))
		return 1;
	for (int i = 0; i < count; i += 20) {
		char text[1024], in[8192];
		int size = 0, wanted = 20;
		for (int j = 0; j < 20; j++)
			size += snprintf(text + size, sizeof(text) - size, "word%05d\n", (i + j) * 7919 % 20500);
		if (write(fd, text, size) != size)
			return 1;
		while (wanted > 0) {
			ssize_t n = read(fd, in, sizeof(in));
			if (n <= 0)
				return 1;
			for (ssize_t k = 0; k < n; k++)
				if (in[k] == '\n')
					wanted--, answers++;
		}
	}
	printf("%d answers\n", answers);
	return 0;
}
