# Off-CPU time as a kind of profile: stacks and picture.

need cc; need perf
cat >wait.c <<'C'
#include <pthread.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];
static void nap(long ms) { nanosleep(&(struct timespec){ 0, ms * 1000000 }, NULL); }
__attribute__((noinline)) void fetch(void) { nap(FETCH); __asm__(""); }
__attribute__((noinline)) void hold(void)
{
	pthread_mutex_lock(&mutex);
	nap(10);
	pthread_mutex_unlock(&mutex);
}
static void *work(void *x) { hold(); return x; }
static void *feed(void *x) { nap(20); return write(ends[1], "x", 1) == 1 ? x : NULL; }
__attribute__((noinline)) void ask(void)
{
	pthread_t thread;
	char c;

	pthread_create(&thread, NULL, feed, NULL);
	(void)!read(ends[0], &c, 1);
	pthread_join(thread, NULL);
}
int main(void)
{
	pthread_t threads[2];

	(void)!pipe(ends);
	fetch();
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	ask();
	return 0;
}
C
cc -g -O1 -pthread -DFETCH=40 -o wait wait.c
mk_scenario a 'target: { command: [./wait] }' 'measure: { runs: 5 }' 'profile: { kinds: [offcpu], duration: 1s }'
"$PAWL" run a >"$out" 2>&1 || true
! grep -q 'no profile of waiting' "$out" || skip "$(grep -o 'no profile of waiting.*' "$out")"
folder=pawl-out/latest/a
for file in folded svg; do [[ -s $folder/offcpu.$file ]] || fail "no offcpu.$file"; done
grep -q '[0-9] ms' $folder/offcpu.svg || fail 'weights are no times'
holds '.scenarios[0].notes | any(test("profile of waiting: 5 runs, .*sleep .* %") and test("thread .* %"))'
# Each kind of waiting is below the function that waits.
for stack in 'fetch;.*\[sleep\]' 'hold;.*\[lock\]' 'hold;.*\[sleep\]' 'ask;.*\[pipe\]'; do
  grep -q "$stack" $folder/offcpu.folded || fail "no $stack: $(cat $folder/offcpu.folded)"
done

# Off-CPU pictures have their own colours, also if drawn from a folded file.
"$PAWL" flamegraph $folder/offcpu.folded >drawn.svg
grep -q ' of waiting' drawn.svg || fail 'weights of a folded file are no times'
colour() { grep -o '\.u0>rect{fill:#[0-9a-f]*' | head -1; }
blue=$(colour <drawn.svg)
[[ -n $blue && $blue == "$(colour <$folder/offcpu.svg)" ]] || fail "a folded file has another colour: $blue"
[[ $blue != "$(echo 'a;b 1' | "$PAWL" flamegraph - | colour)" ]] || fail 'always blue'

# A user without kernel access gets the remedy.
[[ $(cat /proc/sys/kernel/perf_event_paranoid) == 2 && $(id -u) == 0 ]] && command -v setpriv >/dev/null || exit 0
be_ordinary
"$PAWL" run --json -q >"$out" || true
holds '.scenarios[0].notes | any(contains("no profile of waiting") and contains("sysctl kernel.perf_event_paranoid=1"))' "$out"
