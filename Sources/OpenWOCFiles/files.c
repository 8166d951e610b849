#define _GNU_SOURCE
#include "OpenWOCFiles.h"

#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#ifdef __linux__
#include <linux/fs.h>
#include <sys/syscall.h>
#endif

int openwo_errno(void) { return errno; }

int openwo_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

int openwo_open_in(int folder, const char *name, int flags, mode_t mode) {
  return openat(folder, name, flags, mode);
}

// A time that cannot be counted, as of the year 2400, is the last that can, or the first.
static int64_t nanoseconds(struct timespec time) {
  const int64_t most = INT64_MAX / 1000000000 - 1;
  int64_t seconds = time.tv_sec;
  if (seconds > most) seconds = most;
  if (seconds < -most) seconds = -most;
  return seconds * 1000000000 + time.tv_nsec;
}

static int fill(const struct stat *from, struct openwo_status *out) {
  out->device = (uint64_t)from->st_dev;
  out->inode = from->st_ino;
  out->links = from->st_nlink;
  out->size = from->st_size;
  out->blocks = from->st_blocks;
  out->mode = from->st_mode;
  out->uid = from->st_uid;
  out->gid = from->st_gid;
#ifdef __APPLE__
  out->mtime = nanoseconds(from->st_mtimespec);
  out->ctime = nanoseconds(from->st_ctimespec);
#else
  out->mtime = nanoseconds(from->st_mtim);
  out->ctime = nanoseconds(from->st_ctim);
#endif
  return 0;
}

int openwo_status_of(const char *path, int follow, struct openwo_status *out) {
  struct stat status;
  int result = follow ? stat(path, &status) : lstat(path, &status);
  return result == 0 ? fill(&status, out) : -1;
}

int openwo_status_in(int folder, const char *name, struct openwo_status *out) {
  struct stat status;
  return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? fill(&status, out) : -1;
}

int openwo_status_of_descriptor(int descriptor, struct openwo_status *out) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? fill(&status, out) : -1;
}

const char *openwo_next_name(DIR *folder) {
  errno = 0;
  struct dirent *entry = readdir(folder);
  return entry == NULL ? NULL : entry->d_name;
}

void openwo_close_folder(DIR *folder) {
  int code = errno;
  closedir(folder);
  errno = code;
}

int openwo_exchange(const char *one, const char *other) {
#ifdef __linux__
  return (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, 2 /* RENAME_EXCHANGE */);
#else
  return renamex_np(one, other, RENAME_SWAP);
#endif
}

int openwo_rename_new(const char *from, const char *to) {
#ifdef __linux__
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1 /* RENAME_NOREPLACE */);
#else
  return renamex_np(from, to, RENAME_EXCL);
#endif
}

int openwo_rename_new_in(int folder, const char *from, const char *to) {
#ifdef __linux__
  return (int)syscall(SYS_renameat2, folder, from, folder, to, 1 /* RENAME_NOREPLACE */);
#else
  return renameatx_np(folder, from, folder, to, RENAME_EXCL);
#endif
}

int openwo_sync(int descriptor) {
#ifdef F_FULLFSYNC
  if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
#endif
  return fsync(descriptor);
}

int openwo_flock(int descriptor, int operation) { return flock(descriptor, operation); }

int openwo_allocate(int descriptor, int64_t bytes) {
#ifdef __APPLE__
  fstore_t store = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, bytes, 0};
  return fcntl(descriptor, F_PREALLOCATE, &store);
#else
  int code = posix_fallocate(descriptor, 0, bytes);
  if (code == 0) return 0;
  errno = code;
  return -1;
#endif
}

int openwo_clone(int from, int to) {
#ifdef FICLONE
  return ioctl(to, FICLONE, from);
#else
  (void)from, (void)to;
  errno = ENOTSUP;
  return -1;
#endif
}

int openwo_set_mtime(const char *path, int64_t nanoseconds) {
  int64_t seconds = nanoseconds / 1000000000, rest = nanoseconds % 1000000000;
  if (rest < 0) seconds -= 1, rest += 1000000000;
  struct timespec times[2] = {{0, UTIME_OMIT}, {(time_t)seconds, (long)rest}};
  return utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

int64_t openwo_free_space(const char *path) {
  struct statvfs status;
  if (statvfs(path, &status) != 0) return -1;
  return (int64_t)status.f_bavail * (int64_t)status.f_frsize;
}

#ifdef __APPLE__
int openwo_no_attribute(void) { return ENOATTR; }
ssize_t openwo_list_attributes(int descriptor, char *names, size_t size) {
  return flistxattr(descriptor, names, size, 0);
}
ssize_t openwo_get_attribute(int descriptor, const char *name, void *value, size_t size) {
  return fgetxattr(descriptor, name, value, size, 0, 0);
}
int openwo_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
  return fsetxattr(descriptor, name, value, size, 0, 0);
}
#else
int openwo_no_attribute(void) { return ENODATA; }
ssize_t openwo_list_attributes(int descriptor, char *names, size_t size) {
  return flistxattr(descriptor, names, size);
}
ssize_t openwo_get_attribute(int descriptor, const char *name, void *value, size_t size) {
  return fgetxattr(descriptor, name, value, size);
}
int openwo_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
  return fsetxattr(descriptor, name, value, size, 0);
}
#endif

uintptr_t openwo_thread(void) { return (uintptr_t)pthread_self(); }

void openwo_keep_standard_streams(void) {
  for (int number = 0; number <= 2; number++)
    if (fcntl(number, F_GETFD) < 0) open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY);
}
