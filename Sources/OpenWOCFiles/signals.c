#define _GNU_SOURCE
#include "OpenWOCFiles.h"

// A signal handler can reach nothing but variables like these.
static volatile sig_atomic_t caught = 0;
static volatile sig_atomic_t child = 0;

static void remember(int number) {
  int saved = errno;
  if (caught == 0) caught = number;
  if (child > 0) kill((pid_t)child, number);
  errno = saved;
}

void openwo_catch_end_signals(void) {
  const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  sigset_t wanted;
  sigemptyset(&wanted);
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
    struct sigaction action;
    if (sigaction(numbers[index], NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = remember;
    action.sa_flags = SA_RESTART;
    sigaction(numbers[index], &action, NULL);
    sigaddset(&wanted, numbers[index]);
  }
  // Who starts programs from a thread of a pool may hand on that all signals are held back.
  sigprocmask(SIG_UNBLOCK, &wanted, NULL);
}

int openwo_caught_signal(void) { return caught; }

static sigset_t before_hold;
static int waker[2] = {-1, -1};

void openwo_hold_end_signals(void) {
  openwo_catch_end_signals();
  if (openwo_pipe(waker) != 0) waker[0] = waker[1] = -1;
  sigset_t held;
  sigemptyset(&held);
  const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++)
    sigaddset(&held, numbers[index]);
  pthread_sigmask(SIG_BLOCK, &held, &before_hold);
}

int openwo_wait_end_signal(void) {
  while (caught == 0) {
    fd_set ends;
    FD_ZERO(&ends);
    if (waker[0] >= 0 && waker[0] < FD_SETSIZE) FD_SET(waker[0], &ends);
    // Signals come through here and nowhere else, so none is missed between the look and the sleep.
    int count = pselect(waker[0] + 1, &ends, NULL, NULL, NULL, &before_hold);
    if (count > 0 || (count < 0 && errno != EINTR)) break;
  }
  return caught;
}

void openwo_end_wait(void) {
  ssize_t written = write(waker[1], "", 1);
  (void)written;
}

int openwo_wait_child(pid_t pid, int *status) {
  child = pid;
  // One that came between the start of the child and now.
  if (caught != 0) kill(pid, caught);
  siginfo_t info;
  int result;
  // The child stays a zombie until no signal can be passed on any more: its number is not reused.
  do result = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
  while (result == -1 && errno == EINTR);
  child = 0;
  do result = waitpid(pid, status, 0);
  while (result == -1 && errno == EINTR);
  return result == -1 ? -1 : 0;
}
