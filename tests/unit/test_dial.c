/* Connections: which of several addresses is taken, and why none is. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>

#include "measure/services/services.h"
#include "ready_fixture.h"

static struct addrinfo *resolve(const char *text)
{
	CLEANUP(endpoint_release) struct endpoint endpoint = { 0 };
	struct addrinfo *addresses = NULL;
	struct error err = ERROR_INIT;

	if (endpoint_parse(text, &endpoint, &err) < 0 || dial_resolve(&endpoint, &addresses, &err) < 0)
		fail_msg("%s", err.msg);
	return addresses;
}

static void the_first_that_accepts_is_taken(void **state)
{
	struct server closed = { 0 }, open = server_start(NULL, 0);
	int reserved = reserve_port(&closed), fd = -1, why = 0;
	struct addrinfo *first = resolve(closed.address), *second = resolve(open.address);
	struct sockaddr_in peer;
	socklen_t len = sizeof peer;
	struct error err = ERROR_INIT;

	(void)state;
	assert_null(first->ai_next);
	first->ai_next = second;
	assert_int_equal(dial_connect(NULL, first, clock_now_ns() + 20 * NS_PER_S, &fd, &why, &err), 1);
	assert_int_equal(getpeername(fd, (struct sockaddr *)&peer, &len), 0);
	assert_int_equal(ntohs(peer.sin_port), open.port);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
	close(fd);
	freeaddrinfo(first);
	server_stop(&open);
	close(reserved);
}

static void the_last_refusal_is_told(void **state)
{
	struct server closed = { 0 };
	int reserved = reserve_port(&closed), fd = -2, why = 0;
	struct addrinfo *addresses = resolve(closed.address);
	unsigned before = count_open_files();

	(void)state;
	assert_int_equal(dial_connect(NULL, addresses, clock_now_ns() + 20 * NS_PER_S, &fd, &why, NULL), 0);
	assert_int_equal(why, ECONNREFUSED);
	/* No time is left to try. */
	assert_int_equal(dial_connect(NULL, addresses, clock_now_ns(), &fd, &why, NULL), 0);
	assert_int_equal(why, ETIMEDOUT);
	assert_int_equal(fd, -2);
	assert_int_equal(count_open_files(), before);
	freeaddrinfo(addresses);
	close(reserved);
}

static void own_addresses_are_known(void **state)
{
	static const struct {
		const char *text;
		bool local;
	} cases[] = {
		{ "127.0.0.1:80", true }, { "127.8.9.10:1", true }, { "0.0.0.0:80", true },
		/* Kept for documents; no machine has them. */
		{ "192.0.2.1:80", false }, { "[2001:db8::1]:80", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct addrinfo *address = resolve(cases[i].text);

		if (dial_is_local(address) != cases[i].local)
			fail_msg("%s is %slocal", cases[i].text, cases[i].local ? "not " : "");
		freeaddrinfo(address);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_that_accepts_is_taken),
		cmocka_unit_test(the_last_refusal_is_told),
		cmocka_unit_test(own_addresses_are_known),
	};

	return cmocka_run_group_tests_name("dial", tests, NULL, NULL);
}
