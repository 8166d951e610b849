// Sets the clock of a program: what it reads of the real time is moved by CLOCK_OFFSET seconds. Loaded with LD_PRELOAD.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset(void) {
  static long seconds;
  static int is_known;
  if (!is_known) {
    const char *text = getenv("CLOCK_OFFSET");
    seconds = text ? atol(text) : 0;
    is_known = 1;
  }
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int status = (int)syscall(SYS_clock_gettime, clock, now);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    now->tv_sec += offset();
  }
  return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec time;
  int status = clock_gettime(CLOCK_REALTIME, &time);
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return status;
}

time_t time(time_t *now) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  if (now) *now = time.tv_sec;
  return time.tv_sec;
}
