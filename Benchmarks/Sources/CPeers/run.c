#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CPeers.h"

enum { most_words = 64 };

peers_run_result peers_run(const char *launcher, char *const *words, const char *folder, int output) {
  peers_run_result result = {0};
  result.status = 127;
  int ends[2], nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0 || pipe(ends)) return result;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  char number[16];
  snprintf(number, sizeof number, "%d", ends[1]);
  char *all[most_words + 3] = {(char *)launcher, number};
  for (int place = 0; place < most_words && words[place]; place++) all[place + 2] = words[place];
  pid_t process = vfork();
  if (process == 0) {
    if (folder && chdir(folder)) _exit(126);
    dup2(nothing, 0);
    dup2(output >= 0 ? output : nothing, 1);
    dup2(nothing, 2);
    execv(launcher, all);
    _exit(127);
  }
  close(ends[1]);
  if (process > 0 && read(ends[0], &result, sizeof result) != sizeof result) result.status = 127;
  int status = 0;
  while (process > 0 && waitpid(process, &status, 0) < 0) {
  }
  close(ends[0]);
  close(nothing);
  return result;
}

void peers_buffer_lines(void) { setvbuf(stdout, 0, _IOLBF, 0); }
