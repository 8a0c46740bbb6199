/* The output folder of a run: its name, the latest link, and what pruning may remove. */
#include "unit.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "measure/run/outdir.h"
#include "root_fixture.h"

static void put(const char *dir, const char *name)
{
	CLEANUP(free_ptr) char *path = file_join(dir, name);

	assert_int_equal(file_write(path, "x", 1, NULL), 0);
}

static bool is_there(const char *name)
{
	CLEANUP(free_ptr) char *path = in_root(name);
	struct stat st;

	return lstat(path, &st) == 0;
}

static size_t count_there(void)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	assert_int_equal(file_list(root, &names, NULL), 0);
	return names.n;
}

static void assert_latest(const char *parent, const char *dir)
{
	CLEANUP(free_ptr) char *link = file_join(parent, "latest");
	char target[256] = "";

	assert_true(readlink(link, target, sizeof target - 1) > 0);
	assert_string_equal(target, strrchr(dir, '/') + 1);
	assert_true(file_is_dir(link));
}

static void assert_pattern(const char *text, const char *pattern)
{
	assert_int_equal(strlen(text), strlen(pattern));
	for (size_t i = 0; pattern[i]; i++)
		if (pattern[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != pattern[i])
			fail_msg("%s is not like %s", text, pattern);
}

TEST_WITH(a_run_folder_is_named_and_latest, make_root, drop_root)
{
	CLEANUP(free_ptr) char *parent = in_root("a/b"), *first = NULL, *second = NULL, *none = NULL;
	struct error err = ERROR_INIT;

	assert_int_equal(outdir_make(parent, "abc1234", &first, &err), 0);
	assert_memory_equal(first, parent, strlen(parent));
	assert_pattern(first + strlen(parent), "/ddddddddTddddddZ-abc1234");
	assert_latest(parent, first);
	assert_int_equal(outdir_make(parent, "abc1234", &second, &err), 0);
	assert_string_not_equal(second, first);
	assert_latest(parent, second);
	assert_int_equal(outdir_make(parent, NULL, &none, &err), 0);
	assert_pattern(none + strlen(parent), "/ddddddddTddddddZ-none");
	assert_latest(parent, none);
	assert_true(file_is_dir(first) && file_is_dir(second));
}

TEST_WITH(runs_of_one_second_get_folders_of_their_own, make_root, drop_root)
{
	char *made[30];

	for (size_t i = 0; i < 30; i++) {
		assert_int_equal(outdir_make(root, "c", &made[i], NULL), 0);
		assert_latest(root, made[i]);
	}
	assert_int_equal(count_there(), 31);
	for (size_t i = 0; i < 30; i++)
		free(made[i]);
}

TEST_WITH(latest_that_is_no_link_is_left_alone, make_root, drop_root)
{
	CLEANUP(free_ptr) char *latest = in_root("latest"), *out = NULL;

	put(latest, "mine");
	assert_int_equal(outdir_make(root, "c", &out, NULL), 0);
	assert_true(is_there("latest/mine"));
	assert_true(file_is_dir(out));
	assert_int_equal(count_there(), 2);
}

TEST_WITH(a_parent_that_is_a_file_is_an_error, make_root, drop_root)
{
	CLEANUP(free_ptr) char *parent = in_root("file");
	char *out = NULL;
	struct error err = ERROR_INIT;

	put(root, "file");
	assert_int_equal(outdir_make(parent, "c", &out, &err), -1);
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_non_null(strstr(err.msg, parent));
	assert_null(out);
}

TEST_WITH(twenty_runs_are_kept, make_root, drop_root)
{
	for (int i = 1; i <= 25; i++) {
		char name[64];

		snprintf(name, sizeof name, "202611%02dT100554Z-abc/scenario", i);
		put(root, name);
	}
	outdir_prune(root);
	assert_int_equal(count_there(), OUTDIRS_KEPT);
	assert_false(is_there("20261105T100554Z-abc"));
	assert_true(is_there("20261106T100554Z-abc/scenario"));
	assert_true(is_there("20261125T100554Z-abc/scenario"));
	outdir_prune(root);
	assert_int_equal(count_there(), OUTDIRS_KEPT);
}

/* Other files in the folder are neither counted nor removed. */
TEST_WITH(other_files_are_not_touched, make_root, drop_root)
{
	static const char *const others[] = {
		"20200101T000000Z/x", "20200101T000000-abc/x", "20200101T000000z-abc/x", "2020010T000000Z-abc/x",
		"20200101t000000Z-abc/x", "x20200101T000000Z-abc/x", "20200101T00000xZ-abc/x", "20200101T000000Zabc/x",
		"00-keep/x", "result.json", "20200101T000000Z-notes.txt",
	};
	enum { OTHERS = sizeof others / sizeof others[0] };
	CLEANUP(free_ptr) char *outside = in_root("0-outside"), *link = in_root("20200101T000000Z-link");

	for (size_t i = 0; i < OTHERS; i++)
		put(root, others[i]);
	put(outside, "kept");
	assert_int_equal(symlink(outside, link), 0);
	for (int i = 1; i <= OUTDIRS_KEPT; i++) {
		char name[64];

		snprintf(name, sizeof name, "202611%02dT100554Z-none.2/report.md", i);
		put(root, name);
	}
	outdir_prune(root);
	for (size_t i = 0; i < OTHERS; i++)
		if (!is_there(others[i]))
			fail_msg("%s is gone", others[i]);
	assert_true(is_there("0-outside/kept"));
	assert_true(is_there("20200101T000000Z-link"));
	assert_true(is_there("20261101T100554Z-none.2/report.md"));
}

TEST_WITH(pruning_nothing_is_fine, make_root, drop_root)
{
	CLEANUP(free_ptr) char *missing = in_root("missing");

	outdir_prune(missing);
	outdir_prune(root);
	assert_int_equal(count_there(), 0);
}

TEST(now_is_in_utc)
{
	CLEANUP(free_ptr) char *now = NULL;
	time_t before = time(NULL), found;
	struct tm tm = { 0 };

	setenv("TZ", "Pacific/Chatham", 1);
	tzset();
	now = utc_now();
	assert_pattern(now, "dddd-dd-ddTdd:dd:ddZ");
	assert_non_null(strptime(now, "%Y-%m-%dT%H:%M:%SZ", &tm));
	found = timegm(&tm);
	assert_true(found >= before && found <= before + 60);
}
