// Runs a program and writes what it took to a descriptor: `launch DESCRIPTOR PROGRAM [word…]`.
//
// The kernel counts the memory that a process had before it became another program, so a program that is started by the harness itself
// would be charged with the harness's memory. This one is small.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../CPeers/include/CPeers.h"

static double now(void) {
  struct timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment);
  return (double)moment.tv_sec + (double)moment.tv_nsec * 1e-9;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec * 1e-6; }

int main(int count, char **words) {
  if (count < 3) return 64;
  int result_end = atoi(words[1]);
  fcntl(result_end, F_SETFD, FD_CLOEXEC);
  peers_run_result result = {0};
  double start = now();
  pid_t process = vfork();
  if (process == 0) {
    execvp(words[2], words + 2);
    _exit(127);
  }
  struct rusage usage;
  int status = 0;
  while (wait4(process, &status, 0, &usage) < 0) {
  }
  result.wall = now() - start;
  result.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  result.memory = (int64_t)usage.ru_maxrss * 1024;
  result.switches = usage.ru_nvcsw;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return write(result_end, &result, sizeof result) == sizeof result ? 0 : 1;
}
