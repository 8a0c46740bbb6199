/*
 * One task in four variants, which a gate must distinguish:
 *   (none)       values mostly in order: most branches are predicted well
 *   -DSHUFFLED   the same instructions over the same values, shuffled: the branches are random
 *   -DMORE       a third more work
 *   -DLEAN       without cheap instructions that do nothing: less work, less time, and a lower IPC
 * A round takes 0.1 ms on a real machine.
 */
#include <stdio.h>

#ifndef ROUNDS
#define ROUNDS 60
#endif
enum { SIZE = 1 << 15 };

static unsigned char ordered[SIZE], shuffled[SIZE];

static void fill(void)
{
	unsigned random = 1;

	for (int i = 0; i < SIZE; i++)
		ordered[i] = shuffled[i] = (unsigned char)(i * 256 / SIZE);
	for (int i = SIZE - 1; i > 0; i--) {
		unsigned char value = shuffled[i];
		int other;

		random = random * 1103515245u + 12345u;
		other = (int)((random >> 8) % (unsigned)(i + 1));
		shuffled[i] = shuffled[other];
		shuffled[other] = value;
	}
}

/* The empty statements keep the compiler from turning the branch into arithmetic. */
static unsigned long walk(const unsigned char *data)
{
	unsigned long low = 0, high = 0;

	for (int i = 0; i < SIZE; i++) {
		if (data[i] < 128) {
			low += data[i];
			__asm__ volatile("" : "+r"(low));
		} else {
			high ^= data[i];
			__asm__ volatile("" : "+r"(high));
		}
	}
	return low + high;
}

static void idle(void)
{
#ifndef LEAN
	for (int i = 0; i < 500; i++)
		__asm__ volatile(".rept 512\n\tnop\n\t.endr");
#endif
}

/* A quarter of the rounds always uses shuffled values, so that every variant has branch misses. */
static const unsigned char *data_of(int round)
{
#ifdef SHUFFLED
	(void)round;
	return shuffled;
#else
	return round % 4 ? ordered : shuffled;
#endif
}

int main(void)
{
#ifdef MORE
	int rounds = ROUNDS * 4 / 3;
#else
	int rounds = ROUNDS;
#endif
	unsigned long sum = 0;

	fill();
	for (int i = 0; i < rounds; i++) {
		sum += walk(data_of(i));
		idle();
	}
	printf("%lu\n", sum);
	return 0;
}
