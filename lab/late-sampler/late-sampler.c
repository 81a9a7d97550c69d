// Makes V8's sampler late, as a busy machine does: preloaded into Node on Linux (LD_PRELOAD), it holds the thread that sends
// the profiler's signals for LATE_MS before about one signal in LATE_EVERY. The profiled thread runs on meanwhile.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static __thread unsigned int seed;

static int numberIn(const char *name) {
  const char *text = getenv(name);
  return text == NULL ? 0 : atoi(text);
}

int pthread_kill(pthread_t thread, int number) {
  static int (*send)(pthread_t, int);
  if (send == NULL) send = (int (*)(pthread_t, int))dlsym(RTLD_NEXT, "pthread_kill");
  int every = number == SIGPROF ? numberIn("LATE_EVERY") : 0;
  if (seed == 0) seed = (unsigned int)time(NULL) ^ (unsigned int)getpid();
  if (every > 0 && rand_r(&seed) % every == 0) {
    int ms = numberIn("LATE_MS");
    struct timespec late = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&late, NULL);
  }
  return send(thread, number);
}
