#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CPeers.h"

enum { block = 65536, window = 4 * 65536 };

int64_t peers_compare_files(const char *one, const char *other) {
  int a = open(one, O_RDONLY), b = open(other, O_RDONLY);
  if (a < 0 || b < 0) abort();
  char *left = aligned_alloc(4096, window), *right = aligned_alloc(4096, window);
  int64_t differing = 0, offset = 0;
  for (;;) {
    ssize_t count = pread(a, left, window, offset), same = pread(b, right, window, offset);
    if (count <= 0 && same <= 0) break;
    for (ssize_t place = 0; place < (count > same ? count : same); place += block) {
      ssize_t end = place + block;
      ssize_t ours = (count < end ? count : end) - place, theirs = (same < end ? same : end) - place;
      differing += ours != theirs || (ours > 0 && memcmp(left + place, right + place, (size_t)ours));
    }
    offset += window;
  }
  free(left);
  free(right);
  close(a);
  close(b);
  return differing;
}

int64_t peers_list_folder(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) abort();
  int64_t count = 0;
  struct dirent *entry;
  while ((entry = readdir(folder))) {
    struct stat status;
    if (entry->d_name[0] == '.') continue;
    if (fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0) count++;
  }
  closedir(folder);
  return count;
}
