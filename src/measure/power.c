#include "measure/power.h"

#include <glob.h>

#include "base/cleanup.h"
#include "measure/files.h"

void power_governors(struct strv *out)
{
	glob_t paths = { 0 };

	glob("/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor", 0, NULL, &paths);
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		CLEANUP(strbuf_release) struct strbuf governor = STRBUF_INIT;

		if (file_read_fact(paths.gl_pathv[i], &governor) && governor.len && !strv_has(out, governor.buf))
			strv_push(out, governor.buf);
	}
	globfree(&paths);
}

int power_turbo(const char **switch_out)
{
	static const struct {
		const char *path;
		long long off;
	} switches[] = {
		{ "/sys/devices/system/cpu/intel_pstate/no_turbo", 1 },
		{ "/sys/devices/system/cpu/cpufreq/boost", 0 },
	};

	for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
		long long value;

		if (!file_read_number(switches[i].path, &value))
			continue;
		if (switch_out)
			*switch_out = switches[i].path;
		return value != switches[i].off;
	}
	return -1;
}
