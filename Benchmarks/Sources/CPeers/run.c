#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CPeers.h"

static double now(void) {
  struct timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment);
  return (double)moment.tv_sec + (double)moment.tv_nsec * 1e-9;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec * 1e-6; }

peers_run_result peers_run(char *const *words, const char *folder, int output) {
  peers_run_result result = {0};
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  double start = now();
  pid_t process = vfork();
  if (process == 0) {
    if (folder && chdir(folder)) _exit(126);
    dup2(nothing, 0);
    dup2(output >= 0 ? output : nothing, 1);
    dup2(nothing, 2);
    execvp(words[0], words);
    _exit(127);
  }
  struct rusage usage;
  int status = 0;
  while (wait4(process, &status, 0, &usage) < 0) {
  }
  result.wall = now() - start;
  close(nothing);
  result.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  result.memory = (int64_t)usage.ru_maxrss * 1024;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

int64_t peers_switches(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw + usage.ru_nivcsw;
}

void peers_buffer_lines(void) { setvbuf(stdout, 0, _IOLBF, 0); }
