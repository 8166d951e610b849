#define _GNU_SOURCE
#include "OpenWOCFiles.h"

#ifdef __linux__
#include <sys/syscall.h>
#endif
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

#ifdef __linux__

/// Whether a process has a file open; what cannot be seen is not open.
static int has_open(int processes, const char *pid, const struct stat *wanted) {
  char name[300];
  snprintf(name, sizeof name, "%s/fd", pid);
  int folder = openat(processes, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return 0;
  // Without a stream, as there are many processes, most with few files.
  char names[4096] __attribute__((aligned(8)));
  long count;
  int found = 0;
  while (!found && (count = syscall(SYS_getdents64, folder, names, sizeof names)) > 0)
    for (long place = 0; !found && place < count;) {
      const struct dirent64 *entry = (const struct dirent64 *)(names + place);
      struct stat status;
      place += entry->d_reclen;
      found = entry->d_name[0] != '.' && fstatat(folder, entry->d_name, &status, 0) == 0 &&
              status.st_dev == wanted->st_dev && status.st_ino == wanted->st_ino;
    }
  close(folder);
  return found;
}

int openwo_openers(const char *path, pid_t *pids, int capacity) {
  struct stat wanted;
  DIR *processes = stat(path, &wanted) == 0 ? opendir("/proc") : NULL;
  if (processes == NULL) return -1;
  int count = 0;
  const struct dirent *entry;
  while (count < capacity && (entry = readdir(processes)) != NULL) {
    pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
    if (pid > 0 && pid != getpid() && has_open(dirfd(processes), entry->d_name, &wanted))
      pids[count++] = pid;
  }
  closedir(processes);
  return count;
}

#else

int openwo_openers(const char *path, pid_t *pids, int capacity) {
  (void)path, (void)pids, (void)capacity;
  errno = ENOSYS;
  return -1;
}

#endif

#endif
