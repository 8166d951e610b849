// The machine of a device, for a program that is started with LD_PRELOAD: its real time is moved, and its disk may be full.
//
// MACHINE names a file of two 64-bit numbers, which may change while the program runs: the seconds by which the time is moved, and whether the disk is
// full. On a full disk a file can be written over and not grow.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *machine(void) {
  static const int64_t nothing[2];
  static const volatile int64_t *known;
  if (!known) {
    const char *path = getenv("MACHINE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *map = file < 0 ? MAP_FAILED : mmap(0, sizeof nothing, PROT_READ, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    known = map == MAP_FAILED ? nothing : map;
  }
  return known;
}

// Whether these bytes find no room; `at` is -1 for where the file is.
static int is_refused(int file, off_t at, size_t count) {
  struct stat status;
  if (!machine()[1] || count == 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  if (at < 0) at = fcntl(file, F_GETFL) & O_APPEND ? status.st_size : lseek(file, 0, SEEK_CUR);
  if (at + (off_t)count <= status.st_size) return 0;
  errno = ENOSPC;
  return 1;
}

ssize_t write(int file, const void *bytes, size_t count) {
  return is_refused(file, -1, count) ? -1 : syscall(SYS_write, file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  return is_refused(file, at, count) ? -1 : syscall(SYS_pwrite64, file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) { return pwrite(file, bytes, count, at); }

ssize_t writev(int file, const struct iovec *pieces, int number) {
  size_t count = 0;
  for (int i = 0; i < number; i++) count += pieces[i].iov_len;
  return is_refused(file, -1, count) ? -1 : syscall(SYS_writev, file, pieces, number);
}

int ftruncate(int file, off_t length) { return is_refused(file, 0, (size_t)length) ? -1 : (int)syscall(SYS_ftruncate, file, length); }

int ftruncate64(int file, off64_t length) { return ftruncate(file, length); }

int clock_gettime(clockid_t clock, struct timespec *now) {
  int status = (int)syscall(SYS_clock_gettime, clock, now);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += machine()[0];
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
