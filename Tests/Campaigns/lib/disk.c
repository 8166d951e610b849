// A disk that records its writes (FUSE, Linux): a folder with a file `disk`, which is IMAGE, and a
// file `mark`.
//
//   disk IMAGE LOG FOLDER
//
// A file system on a loop device over `disk` writes and flushes here; the log has what is written
// into `mark` in between. A record of the log is three numbers of eight bytes, the kind (W, F or
// M), the offset and the length, and that many bytes. One thread serves, so the log has the order
// of the calls.
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int image, log_file;

static void note(char kind, uint64_t offset, const char *bytes, uint64_t length) {
  uint64_t head[3] = {(uint64_t)kind, offset, length};
  struct iovec parts[2] = {{head, sizeof head}, {(void *)bytes, length}};
  if (writev(log_file, parts, 2) != (ssize_t)(sizeof head + length)) {
    perror("the log of the disk");
    abort();
  }
}

static int is_disk(const char *path) { return strcmp(path, "/disk") == 0; }
static int is_mark(const char *path) { return strcmp(path, "/mark") == 0; }

static int get_attributes(const char *path, struct stat *status, struct fuse_file_info *file) {
  (void)file;
  memset(status, 0, sizeof *status);
  int is_top = strcmp(path, "/") == 0;
  if (!is_top && !is_disk(path) && !is_mark(path)) return -ENOENT;
  status->st_mode = is_top ? S_IFDIR | 0700 : S_IFREG | 0600;
  status->st_nlink = is_top ? 2 : 1;
  struct stat whole;
  if (is_disk(path) && fstat(image, &whole) == 0) status->st_size = whole.st_size;
  return 0;
}

static int open_file(const char *path, struct fuse_file_info *file) {
  (void)path;
  file->direct_io = 1;  // Nothing is held back in the kernel.
  return 0;
}

static int read_file(
    const char *path, char *bytes, size_t length, off_t offset, struct fuse_file_info *file) {
  (void)file;
  ssize_t got = is_disk(path) ? pread(image, bytes, length, offset) : 0;
  return got < 0 ? -errno : (int)got;
}

static int write_file(
    const char *path, const char *bytes, size_t length, off_t offset, struct fuse_file_info *file) {
  (void)file;
  if (is_mark(path)) {
    note('M', 0, bytes, length);
    return (int)length;
  }
  ssize_t put = pwrite(image, bytes, length, offset);
  if (put < 0) return -errno;
  note('W', (uint64_t)offset, bytes, (uint64_t)put);
  return (int)put;
}

static int flush_disk(const char *path, int only_data, struct fuse_file_info *file) {
  (void)only_data, (void)file;
  if (is_disk(path)) note('F', 0, NULL, 0);
  return 0;
}

/// Ranges are zeroed by writes, and none is discarded.
static int no_ranges(const char *path, int mode, off_t from, off_t length, struct fuse_file_info *file) {
  (void)path, (void)mode, (void)from, (void)length, (void)file;
  return -EOPNOTSUPP;
}

static int keep_length(const char *path, off_t length, struct fuse_file_info *file) {
  (void)path, (void)length, (void)file;
  return 0;
}

int main(int count, char **words) {
  if (count != 4) return 64;
  image = open(words[1], O_RDWR | O_CLOEXEC);
  log_file = open(words[2], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  if (image < 0 || log_file < 0) {
    perror("disk");
    return 1;
  }
  struct fuse_operations operations = {
      .getattr = get_attributes, .open = open_file, .read = read_file, .write = write_file,
      .fsync = flush_disk, .fallocate = no_ranges, .truncate = keep_length};
  char *arguments[] = {words[0], words[3], "-f", "-s", NULL};
  return fuse_main(4, arguments, &operations, NULL);
}
