#define _GNU_SOURCE
#include "OpenWOCFiles.h"

#include <sys/ioctl.h>

int openwo_terminal_width(int descriptor) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
  return size.ws_col > 0 ? size.ws_col : -1;
}

int openwo_terminal_height(int descriptor) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
  return size.ws_row > 0 ? size.ws_row : -1;
}

int openwo_run_shell(const char *command, const void *bytes, size_t size) {
  FILE *input = popen(command, "w");
  if (input == NULL) return -1;
  // Only now, or the child would ignore them too.
  struct sigaction interrupt, quit;
  openwo_set_signal(SIGINT, 1, &interrupt);
  openwo_set_signal(SIGQUIT, 1, &quit);
  if (size > 0) fwrite(bytes, 1, size, input);
  int status = pclose(input);
  sigaction(SIGINT, &interrupt, NULL);
  sigaction(SIGQUIT, &quit, NULL);
  return status;
}

int64_t openwo_seconds_east(int64_t seconds) {
  time_t moment = (time_t)seconds;
  struct tm local;
  return localtime_r(&moment, &local) == NULL ? 0 : local.tm_gmtoff;
}
