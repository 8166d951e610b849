#define _GNU_SOURCE
#include "OpenWOCFiles.h"

#ifdef __APPLE__
#include <crt_externs.h>
#include <libproc.h>
#else
extern char **environ;
#endif

int openwo_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC | O_NONBLOCK);
#else
  if (pipe(ends) != 0) return -1;
  for (int end = 0; end < 2; end++) {
    fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    fcntl(ends[end], F_SETFL, O_NONBLOCK);
  }
  return 0;
#endif
}

char **openwo_environment(void) {
#ifdef __APPLE__
  return *_NSGetEnviron();
#else
  return environ;
#endif
}

int openwo_set_signal(int number, int ignored, struct sigaction *before) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = ignored ? SIG_IGN : SIG_DFL;
  return sigaction(number, &action, before);
}

int openwo_is_ignored(const struct sigaction *action) { return action->sa_handler == SIG_IGN; }

int openwo_spawn(pid_t *pid, char *const arguments[], char *const environment[],
                 const sigset_t *defaults) {
  posix_spawnattr_t attributes;
  int code = posix_spawnattr_init(&attributes);
  if (code == 0) {
    sigset_t none;
    sigemptyset(&none);
    code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (code == 0) code = posix_spawnattr_setsigdefault(&attributes, defaults);
    if (code == 0) code = posix_spawnattr_setsigmask(&attributes, &none);
    if (code == 0) code = posix_spawnp(pid, arguments[0], NULL, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
  }
  if (code == 0) return 0;
  errno = code;
  return -1;
}

int openwo_exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

int openwo_end_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : -1; }

#ifdef __APPLE__

int openwo_process_name(pid_t pid, char *name, size_t size) {
  return proc_name(pid, name, (uint32_t)size) > 0 ? 0 : -1;
}

int openwo_openers(const char *path, pid_t *pids, int capacity) {
  int bytes = capacity * (int)sizeof *pids;
  int used = proc_listpidspath(PROC_ALL_PIDS, 0, path, 0, pids, bytes);
  return used < 0 ? -1 : used / (int)sizeof *pids;
}

#else

int openwo_process_name(pid_t pid, char *name, size_t size) {
  (void)pid, (void)name, (void)size;
  errno = ENOSYS;
  return -1;
}

int openwo_openers(const char *path, pid_t *pids, int capacity) {
  (void)path, (void)pids, (void)capacity;
  errno = ENOSYS;
  return -1;
}

#endif
