/* Server addresses: accepted forms, and errors with their reasons. */
#include "unit.h"

#include <strings.h>

#include "scenario/scenario.h"

TEST(host_and_port_are_taken_apart)
{
	static const struct { const char *text, *host; unsigned port; } cases[] = {
		{ "127.0.0.1:6379", "127.0.0.1", 6379 }, { "localhost:1", "localhost", 1 },
		{ "[::1]:80", "::1", 80 }, { "[::ffff:127.0.0.1]:65535", "::ffff:127.0.0.1", 65535 },
		{ "my-db_1.Example:00080", "my-db_1.Example", 80 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(endpoint_release) struct endpoint got = { 0 };
		struct error err = ERROR_INIT;

		if (endpoint_parse(cases[i].text, &got, &err) < 0)
			fail_msg("%s: %s", cases[i].text, err.msg);
		assert_string_equal(got.host, cases[i].host);
		assert_int_equal(got.port, cases[i].port);
		assert_null(got.path);
	}
}

struct refused {
	const char *text, *why;
};

static void assert_refused(const struct refused *cases, size_t n, int (*parse)(const char *, struct endpoint *, struct error *),
			   const char *expected)
{
	for (size_t i = 0; i < n; i++) {
		CLEANUP(free_ptr) char *message = text_printf("expected %s, found '%s': %s", expected, cases[i].text, cases[i].why);
		struct endpoint got = { .port = 7 };
		struct error err = ERROR_INIT;

		assert_int_equal(parse(cases[i].text, &got, &err), -1);
		assert_int_equal(err.kind, ERR_INPUT);
		assert_string_equal(err.msg, message);
		assert_true(!got.host && !got.path && got.port == 7);
	}
}

#define TOO_LONG "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

TEST(what_is_no_host_and_port_is_refused)
{
	static const struct refused cases[] = {
		{ "", "the port is missing" }, { "6379", "the port is missing" }, { "localhost", "the port is missing" },
		{ "[::1]", "the port is missing" }, { ":80", "the host is missing" },
		{ "h:", "a port is a number from 1 to 65535" }, { "h:0", "a port is a number from 1 to 65535" },
		{ "h:65536", "a port is a number from 1 to 65535" }, { "h:-1", "a port is a number from 1 to 65535" },
		{ "h:http", "a port is a number from 1 to 65535" }, { "h: 80", "a port is a number from 1 to 65535" },
		{ "h:80 ", "a port is a number from 1 to 65535" },
		{ "h:18446744073709551696", "a port is a number from 1 to 65535" },
		{ "::1:80", "an IPv6 address stands in brackets, as in [::1]:80" },
		{ "h:80:81", "an IPv6 address stands in brackets, as in [::1]:80" },
		{ "[::1:80", "the ] is missing" }, { "[::1]80", "only a port may follow the ]" },
		{ "[localhost]:80", "brackets hold an IPv6 address, as in [::1]:80" },
		{ "[]:80", "brackets hold an IPv6 address, as in [::1]:80" },
		{ "[1.2.3.4]:80", "brackets hold an IPv6 address, as in [::1]:80" },
		{ "a b:80", "a host consists of letters, digits, dots and dashes" },
		{ "a/b:80", "a host consists of letters, digits, dots and dashes" },
		{ "h\n:80", "a host consists of letters, digits, dots and dashes" },
		{ "\xc3\xa4:80", "a host consists of letters, digits, dots and dashes" },
		{ "me@h:80", "user names and passwords are not sent" },
		{ "http://h:80", "that is a URL, which ready.http takes" },
	};

	assert_refused(cases, sizeof cases / sizeof cases[0], endpoint_parse, "HOST:PORT such as 127.0.0.1:6379");
}

TEST(a_long_host_is_refused)
{
	struct endpoint got;
	struct error err = ERROR_INIT;

	assert_int_equal(endpoint_parse(TOO_LONG TOO_LONG TOO_LONG TOO_LONG ":80", &got, &err), -1);
	assert_non_null(strstr(err.msg, "aaaa': the host is longer than 253 characters"));
}

TEST(a_url_is_taken_apart)
{
	static const struct { const char *text, *host; unsigned port; const char *path, *field; } cases[] = {
		{ "http://localhost", "localhost", 80, "/", "localhost" },
		{ "http://localhost/", "localhost", 80, "/", "localhost" },
		{ "HTTP://127.0.0.1:8080/health?full=1&x=/y", "127.0.0.1", 8080, "/health?full=1&x=/y", "127.0.0.1:8080" },
		{ "http://[::1]:9200/_cluster/health", "::1", 9200, "/_cluster/health", "[::1]:9200" },
		{ "http://[::1]", "::1", 80, "/", "[::1]" },
		{ "http://h?q", "h", 80, "/?q", "h" },
		{ "http://h:81#part", "h", 81, "/", "h:81" },
		{ "http://h/a:b@c?d#e f", "h", 80, "/a:b@c?d", "h" },
		{ "HTTPS://h/x", "h", 443, "/x", "h:443" },
		{ "https://[::1]:8443", "::1", 8443, "/", "[::1]:8443" },
		{ "http://unix:/run/a b.sock:/health?x", "localhost", 80, "/health?x", "localhost" },
		{ "http://unix:/run/web.sock", "localhost", 80, "/", "localhost" },
		{ "http://unix:81/x", "unix", 81, "/x", "unix:81" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(endpoint_release) struct endpoint got = { 0 };
		CLEANUP(strbuf_release) struct strbuf field = STRBUF_INIT;
		struct error err = ERROR_INIT;

		if (endpoint_parse_url(cases[i].text, &got, &err) < 0)
			fail_msg("%s: %s", cases[i].text, err.msg);
		assert_string_equal(got.host, cases[i].host);
		assert_int_equal(got.port, cases[i].port);
		assert_string_equal(got.path, cases[i].path);
		endpoint_add_host(&got, &field);
		assert_string_equal(field.buf, cases[i].field);
		assert_int_equal(got.tls, !strncasecmp(cases[i].text, "https", 5));
		assert_int_equal(got.socket != NULL, strstr(cases[i].text, "//unix:/") != NULL);
		if (got.socket && !strstr(cases[i].text, got.socket))
			fail_msg("%s: %s", cases[i].text, got.socket);
	}
}

TEST(what_is_no_url_is_refused)
{
	static const struct refused cases[] = {
		{ "", "it does not begin with http:// or https://" }, { "127.0.0.1:80", "it does not begin with http:// or https://" },
		{ "http:/h", "it does not begin with http:// or https://" }, { "ftp://h", "it does not begin with http:// or https://" },
		{ "https://", "the host is missing" }, { "https://h:0/", "a port is a number from 1 to 65535" },
		{ "http://unix:/s:x", "behind the socket's path a ':' and the path of the request follow" },
		{ "http://unix:s/x", "a port is a number from 1 to 65535" },
		{ "http://", "the host is missing" }, { "http:///x", "the host is missing" },
		{ "http://:80/", "the host is missing" },
		{ "http://h:/", "a port is a number from 1 to 65535" },
		{ "http://h:99999/", "a port is a number from 1 to 65535" },
		{ "http://u:p@h/", "user names and passwords are not sent" },
		{ "http://::1/", "an IPv6 address stands in brackets, as in [::1]:80" },
		{ "http://[::1/]", "the ] is missing" },
		{ "http://h/a b", "spaces, control characters and those beyond ASCII are written as %20 and the like" },
		{ "http://h/a\r\nX: y", "spaces, control characters and those beyond ASCII are written as %20 and the like" },
		{ "http://h/\x7f", "spaces, control characters and those beyond ASCII are written as %20 and the like" },
		{ "http://h/%20\xc3\xa4", "spaces, control characters and those beyond ASCII are written as %20 and the like" },
	};

	assert_refused(cases, sizeof cases / sizeof cases[0], endpoint_parse_url, "a URL such as http://127.0.0.1:8080/health");
}
