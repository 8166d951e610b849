#define _GNU_SOURCE
#include "OpenWOCFiles.h"

#include <sys/ioctl.h>

int openwo_terminal_width(int descriptor) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
  return size.ws_col > 0 ? size.ws_col : -1;
}

int64_t openwo_seconds_east(int64_t seconds) {
  time_t moment = (time_t)seconds;
  struct tm local;
  return localtime_r(&moment, &local) == NULL ? 0 : local.tm_gmtoff;
}
