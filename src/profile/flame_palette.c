#include "profile/flame_palette.h"

#include <math.h>
#include <string.h>

#include "profile/flame.h"
#include "profile/flame_change.h"

enum { SHADES = 8 };

/* Hue in degrees and saturation in percent; shades go from the first hue to the last. */
struct family {
	char letter;
	short first_hue, last_hue, saturation;
};

enum { FAMILIES_MOST = 5 };

/* Families by letter: u user space, k kernel, and of programs in several languages j compiled at run time, i inlined, c C++. */
struct palette {
	const char *name;
	struct family families[FAMILIES_MOST];
};

static const struct palette palettes[] = {
	{ "pawl", { { 'u', 28, 50, 88 }, { 'k', 198, 212, 72 } } },
	{ "hot", { { 'u', 2, 52, 92 }, { 'k', 22, 30, 30 } } },
	{ "mem", { { 'u', 110, 165, 62 }, { 'k', 140, 150, 18 } } },
	{ "io", { { 'u', 205, 245, 70 }, { 'k', 225, 230, 20 } } },
	{ "wakeup", { { 'u', 172, 192, 60 }, { 'k', 180, 185, 18 } } },
	{ "chain", { { 'u', 195, 225, 62 }, { 'k', 172, 185, 45 } } },
	{ "java", { { 'u', 0, 12, 75 }, { 'k', 26, 36, 90 }, { 'j', 105, 130, 55 }, { 'i', 172, 188, 55 }, { 'c', 52, 60, 75 } } },
	{ "js", { { 'u', 0, 12, 75 }, { 'k', 26, 36, 90 }, { 'j', 105, 130, 55 }, { 'i', 172, 188, 55 }, { 'c', 52, 60, 75 } } },
	{ "perl", { { 'u', 0, 12, 75 }, { 'k', 26, 36, 90 }, { 'j', 105, 130, 55 }, { 'c', 52, 60, 75 } } },
	{ "red", { { 'u', 0, 10, 80 }, { 'k', 0, 8, 22 } } },
	{ "green", { { 'u', 100, 140, 58 }, { 'k', 120, 130, 16 } } },
	{ "blue", { { 'u', 208, 232, 75 }, { 'k', 215, 225, 20 } } },
	{ "aqua", { { 'u', 172, 190, 58 }, { 'k', 180, 186, 16 } } },
	{ "yellow", { { 'u', 48, 60, 80 }, { 'k', 52, 58, 22 } } },
	{ "purple", { { 'u', 270, 300, 58 }, { 'k', 282, 292, 16 } } },
	{ "orange", { { 'u', 22, 40, 90 }, { 'k', 28, 34, 25 } } },
};

enum { N_PALETTES = sizeof palettes / sizeof palettes[0] };

const char *const flame_palettes[] = {
	"pawl", "hot", "mem", "io", "wakeup", "chain", "java", "js", "perl", "red", "green", "blue", "aqua", "yellow", "purple", "orange",
	NULL,
};

static const struct palette *find(const char *name)
{
	for (size_t i = 0; name && i < N_PALETTES; i++)
		if (!strcmp(palettes[i].name, name))
			return &palettes[i];
	return &palettes[0];
}

/* -------- style */

static unsigned channel(double hue, double saturation, double lightness, double offset)
{
	double k = fmod(offset + hue / 30, 12), range = saturation * fmin(lightness, 1 - lightness);

	return (unsigned)lround(255 * (lightness - range * fmax(-1, fmin(fmin(k - 3, 9 - k), 1))));
}

/* Percent and degrees to "#rrggbb". */
static void add_color(double hue, double saturation, double lightness, struct strbuf *out)
{
	strbuf_addf(out, "#%02x%02x%02x", channel(hue, saturation / 100, lightness / 100, 0),
		    channel(hue, saturation / 100, lightness / 100, 8), channel(hue, saturation / 100, lightness / 100, 4));
}

static void add_rule(const char *class, int number, double hue, double saturation, double lightness, struct strbuf *out)
{
	strbuf_addf(out, ".%s%d>rect{fill:", class, number);
	add_color(hue, saturation, lightness, out);
	strbuf_adds(out, "}\n");
}

/* Light enough for black letters, dark enough for white ones. */
static void add_family(const struct family *family, bool dark, struct strbuf *out)
{
	const char class[2] = { family->letter };

	for (int i = 0; i < SHADES; i++) {
		double part = (double)i / (SHADES - 1), hue = family->first_hue + part * (family->last_hue - family->first_hue);

		add_rule(class, i, hue, family->saturation * (dark ? 0.7 : 1), dark ? 24 + part * 4 : 64 + part * 12, out);
	}
}

static void add_frames(const struct palette *palette, bool dark, struct strbuf *out)
{
	for (size_t i = 0; i < FAMILIES_MOST && palette->families[i].letter; i++)
		add_family(&palette->families[i], dark, out);
	add_family(&(struct family){ 'x', 30, 60, 6 }, dark, out);
	add_family(&(struct family){ 't', 210, 220, 14 }, dark, out);
}

/* More is orange to red, less is blue: both are told apart without red or green, and by their lightness from grey. */
static void add_changes(bool dark, struct strbuf *out)
{
	add_rule("g", 0, 0, 0, dark ? 27 : 86, out);
	for (int i = 1; i <= FLAME_LEVELS; i++) {
		double part = (double)i / FLAME_LEVELS;

		add_rule("r", i, 34 - 22 * part, dark ? 45 + 45 * part : 55 + 40 * part, dark ? 24 + 11 * part : 84 - 22 * part, out);
		add_rule("b", i, 205 + 10 * part, dark ? 35 + 45 * part : 45 + 45 * part, dark ? 24 + 14 * part : 86 - 20 * part, out);
	}
}

void flame_palette_style(const char *colors, bool compared, struct strbuf *out)
{
	for (int dark = 0; dark < 2; dark++) {
		strbuf_adds(out, dark ? "@media (prefers-color-scheme:dark){\n" : "");
		if (compared)
			add_changes(dark, out);
		else
			add_frames(find(colors), dark, out);
		strbuf_adds(out, dark ? "}\n" : "");
	}
}

/* -------- classes */

static bool marked(const char *name, const char *mark)
{
	size_t len = strlen(name);

	return len > 4 && !strcmp(name + len - 4, mark);
}

/* In which of several languages a function was written, as flamegraph.pl's users know it. */
static char family_of(const char *name, enum flame_kind kind)
{
	if (kind == FLAME_ROOT || kind == FLAME_THREAD)
		return 't';
	if (kind == FLAME_KERNEL)
		return 'k';
	if (marked(name, "_[j]") || !strncmp(name, "LazyCompile:", 12) || !strncmp(name, "JS:", 3) || !strncmp(name, "Lpy::", 5))
		return 'j';
	if (marked(name, "_[i]"))
		return 'i';
	if (kind == FLAME_UNKNOWN)
		return 'x';
	if (strstr(name, "::") || name[0] == '-' || name[0] == '+')
		return 'c';
	/* Java's methods without a mark: "Ljava/lang/String;", "java/lang/String.hashCode". */
	return strchr(name, '/') && strchr(name, '.') ? 'j' : 'u';
}

static bool has_family(const struct palette *palette, char letter)
{
	for (size_t i = 0; i < FAMILIES_MOST && palette->families[i].letter; i++)
		if (palette->families[i].letter == letter)
			return true;
	return letter == 'x' || letter == 't';
}

static unsigned shade_of(const char *name)
{
	unsigned h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return (h >> 16 ^ h) % SHADES;
}

void flame_palette_class(const char *colors, const char *name, enum flame_kind kind, struct strbuf *out)
{
	char family = family_of(name, kind);

	strbuf_addc(out, has_family(find(colors), family) ? family : 'u');
	strbuf_addc(out, (char)('0' + shade_of(name)));
}

void flame_palette_change(int level, struct strbuf *out)
{
	strbuf_addc(out, level > 0 ? 'r' : level < 0 ? 'b' : 'g');
	strbuf_addc(out, (char)('0' + (level < 0 ? -level : level)));
}
