/* Free ports: one for each name, all different and usable. */
#include "unit.h"

#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure/services/ports.h"

enum { MANY = 200 };

static bool can_listen(int number)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool ok;

	addr.sin_port = htons((uint16_t)number);
	ok = bind(fd, (struct sockaddr *)&addr, sizeof addr) == 0 && listen(fd, 1) == 0;
	close(fd);
	return ok;
}

TEST(the_same_name_gives_the_same_port)
{
	CLEANUP(ports_release) struct ports ports = { 0 };
	struct error err = ERROR_INIT;
	int plain = ports_get(&ports, "", &err), admin = ports_get(&ports, "admin", &err);

	assert_in_range(plain, 1, 65535);
	assert_in_range(admin, 1, 65535);
	assert_int_not_equal(plain, admin);
	assert_int_equal(ports_get(&ports, "", &err), plain);
	assert_int_equal(ports_get(&ports, "admin", &err), admin);
	assert_int_not_equal(ports_get(&ports, "Admin", &err), admin);
	assert_int_equal(ports.n, 3);
	assert_int_equal(err.kind, ERR_NONE);
}

TEST(no_port_is_given_twice)
{
	CLEANUP(ports_release) struct ports ports = { 0 };
	int numbers[MANY], listening = 0;

	for (int i = 0; i < MANY; i++) {
		char name[16];

		snprintf(name, sizeof name, "p%d", i);
		numbers[i] = ports_get(&ports, name, NULL);
		assert_true(numbers[i] > 0);
		for (int k = 0; k < i; k++)
			assert_int_not_equal(numbers[i], numbers[k]);
	}
	/* Another process may take one in between, but hardly more. */
	for (int i = 0; i < MANY; i++)
		listening += can_listen(numbers[i]);
	assert_true(listening > MANY * 9 / 10);
}

TEST(a_refusal_is_reported)
{
	CLEANUP(ports_release) struct ports ports = { 0 };
	struct error err = ERROR_INIT;
	struct rlimit before, none;
	int got;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){ 0, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	got = ports_get(&ports, "", &err);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(got, -1);
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_string_equal(err.msg, "cannot find a free TCP port: Too many open files");
	assert_int_equal(ports.n, 0);
}
