# The cause names the function that makes a command wait: one that sleeps, or one that holds a contended lock.
# It does not name the function that joins the threads.

need cc perf
cat >waits.c <<'C'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) static void doze(void) { usleep(NAP * 1000); }
__attribute__((noinline)) static void hold(void)
{
	pthread_mutex_lock(&lock);
	if (LONG)
		usleep(1000);
	pthread_mutex_unlock(&lock);
	if (!LONG)
		usleep(1000);
}
static void *worker(void *none)
{
	doze();
	for (int i = 0; i < 30; i++)
		hold();
	return none;
}
int main(void)
{
	pthread_t threads[8];
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
C
build() { cc -g -O1 -pthread -o "$1" waits.c -DNAP="$2" -DLONG="$3"; }
build base 1 0
build sleeps 200 0
build locks 1 1
mk_scenario waits <<'YAML'
target: { command: ./prog }
measure: { runs: 5, budget: 60s }
gates: { wall-time: +25% }
profile: { kinds: [] }
YAML
mkdir old new
cp -r scenarios old
cp -r old/. new
cp base old/prog

# cause_of PROGRAM KIND FUNCTION: the first cause of the change to PROGRAM.
cause_of() {
  cp "$1" new/prog
  expect 1 run waits --base old --head new
  grep -q 'what threads wait for could not be recorded' "$out" && skip 'perf cannot record switches here'
  holds ".scenarios[0].causes[0] | .kind == \"$2\" and .function == \"$3\""
}
cause_of sleeps waiting doze
# Each of eight threads sleeps with the lock held, and all of them wait for it.
cause_of locks waiting hold
