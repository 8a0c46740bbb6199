/*
 * words FILE: count the words of a text and print the ten most frequent.
 * Built with -DWEAK_HASH it hashes with too little of a word, so that the chains of its table grow.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 14, TOP = 10, WORD_LARGEST = 64 };

struct entry {
	struct entry *next;
	unsigned long count;
	char word[];
};

static struct entry *table[BUCKETS];

static unsigned hash_word(const char *word)
{
#ifdef WEAK_HASH
	unsigned h = 0;

	while (*word)
		h += (unsigned char)*word++;
#else
	unsigned h = 2166136261u;

	while (*word)
		h = (h ^ (unsigned char)*word++) * 16777619u;
	h ^= h >> 15;
#endif
	return h % BUCKETS;
}

/* Compares by itself rather than by strcmp(), so that a profile shows the time under this name. */
static struct entry *table_find(struct entry *chain, const char *word)
{
	for (; chain; chain = chain->next) {
		const char *a = chain->word, *b = word;

		while (*a && *a == *b) {
			a++;
			b++;
		}
		if (*a == *b)
			return chain;
	}
	return NULL;
}

static void table_count(const char *word)
{
	struct entry **bucket = &table[hash_word(word)];
	struct entry *entry = table_find(*bucket, word);

	if (!entry) {
		size_t size = strlen(word) + 1;

		entry = malloc(sizeof(*entry) + size);
		if (!entry)
			abort();
		memcpy(entry->word, word, size);
		entry->count = 0;
		entry->next = *bucket;
		*bucket = entry;
	}
	entry->count++;
}

static void count_words(FILE *in)
{
	char word[WORD_LARGEST];
	size_t n = 0;
	int c;

	do {
		c = getc_unlocked(in);
		if (c != EOF && isalnum(c)) {
			if (n < sizeof(word) - 1)
				word[n++] = (char)tolower(c);
		} else if (n > 0) {
			word[n] = '\0';
			table_count(word);
			n = 0;
		}
	} while (c != EOF);
}

static int more_frequent(const struct entry *a, const struct entry *b)
{
	return !b || a->count > b->count || (a->count == b->count && strcmp(a->word, b->word) < 0);
}

static void print_top(void)
{
	const struct entry *top[TOP] = { NULL };

	for (size_t i = 0; i < BUCKETS; i++) {
		for (const struct entry *entry = table[i]; entry; entry = entry->next) {
			size_t place = TOP;

			while (place > 0 && more_frequent(entry, top[place - 1]))
				place--;
			if (place == TOP)
				continue;
			memmove(&top[place + 1], &top[place], (TOP - 1 - place) * sizeof(top[0]));
			top[place] = entry;
		}
	}
	for (size_t i = 0; i < TOP && top[i]; i++)
		printf("%8lu %s\n", top[i]->count, top[i]->word);
}

int main(int argc, char **argv)
{
	FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;

	if (!in) {
		fprintf(stderr, "usage: words FILE, a text that can be read\n");
		return 2;
	}
	count_words(in);
	if (ferror(in)) {
		perror(argv[1]);
		return 1;
	}
	fclose(in);
	print_top();
	return fflush(stdout) == 0 ? 0 : 1;
}
