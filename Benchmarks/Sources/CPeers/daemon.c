#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "CPeers.h"

int peers_start(char *const *words, int output) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  pid_t process = vfork();
  if (process == 0) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // also when this process is killed
#endif
    dup2(nothing, 0);
    dup2(output, 1);
    dup2(output, 2);
    execvp(words[0], words);
    _exit(127);
  }
  if (nothing >= 0) close(nothing);
  return process;
}

int peers_is_running(int process) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

void peers_end(int process) {
  kill(process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
  }
}

int peers_free_port(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int port = -1, end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (end < 0) return -1;
  if (bind(end, (struct sockaddr *)&address, size) == 0 && getsockname(end, (struct sockaddr *)&address, &size) == 0)
    port = ntohs(address.sin_port);
  close(end);
  return port;
}
