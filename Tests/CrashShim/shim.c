// A library to preload (Linux): it writes down what a program changes below one folder, or makes one call of it fail.
//
//   OPENWO_SHIM_ROOT   the folder; calls on anything else pass untouched
//   OPENWO_SHIM_LOG    a file that every change is appended to, in the order in which it took place
//   OPENWO_SHIM_COUNT  a file that gets, at the program's end, how many calls of each kind there were
//   OPENWO_SHIM_FAIL   KIND:NUMBER:ERRNO:once, :five or :on; the call with this number, counted from 1, fails, or it and the four
//                      after it, or it and all after it; with ERRNO 0 the process is killed there instead
//
// A record of the log is a line "OPERATION inode number nanoseconds length length" and two strings of these lengths.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define KINDS(X)                                                                              \
  X(open) X(read) X(write) X(truncate) X(fsync) X(rename) X(unlink) X(link) X(mkdir) X(stat) \
  X(list) X(lock) X(unlock) X(flock) X(allocate)
enum kind {
#define X(name) kind_##name,
  KINDS(X)
#undef X
  kind_count
};
static const char *const kind_names[] = {
#define X(name) #name,
  KINDS(X)
#undef X
};

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static char root[PATH_MAX];
static size_t root_length;
static int log_descriptor = -1;
static const char *count_path;
static long counts[kind_count];
static int fail_kind = -1, fail_errno;
static long fail_number, fail_count;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

// The C library's `syscall`, which this file interposes.
static long (*kernel(void))(long, ...) {
  static long (*found)(long, ...);
  if (found == NULL) found = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return found;
}
#define syscall kernel()

static int raw_open(const char *path, int flags, mode_t mode) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

__attribute__((constructor)) static void start(void) {
  const char *text = getenv("OPENWO_SHIM_ROOT");
  if (text == NULL) return;
  snprintf(root, sizeof root, "%s", text);
  root_length = strlen(root);
  if ((text = getenv("OPENWO_SHIM_LOG")) != NULL)
    log_descriptor = raw_open(text, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  count_path = getenv("OPENWO_SHIM_COUNT");
  char name[32], how[8];
  if ((text = getenv("OPENWO_SHIM_FAIL")) != NULL &&
      sscanf(text, "%31[a-z]:%ld:%d:%7s", name, &fail_number, &fail_errno, how) == 4) {
    for (int kind = 0; kind < kind_count; kind++)
      if (strcmp(kind_names[kind], name) == 0) fail_kind = kind;
    fail_count = strcmp(how, "on") == 0 ? LONG_MAX : strcmp(how, "five") == 0 ? 5 : 1;
  }
  // Calls of a child process are recorded, but only the program's own calls are counted and fail.
  if (log_descriptor < 0) unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void) {
  if (count_path == NULL) return;
  int file = raw_open(count_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int kind = 0; kind < kind_count; kind++)
    dprintf(file, "%s %ld\n", kind_names[kind], counts[kind]);
}

// The files that the test just made look ten seconds old to the program, so it does not wait for
// the settle time.
int clock_gettime(clockid_t clock, struct timespec *out) {
  int result = (int)syscall(SYS_clock_gettime, clock, out);
  if (result == 0 && clock == CLOCK_REALTIME && root_length > 0) out->tv_sec += 10;
  return result;
}

// ---- whose path is it

static int is_inside(const char *path) {
  return root_length > 0 && strncmp(path, root, root_length) == 0 &&
         (path[root_length] == '/' || path[root_length] == 0);
}

// Makes a path whole; -1 when it is not below the root.
static int resolve(int folder, const char *path, char out[PATH_MAX]) {
  if (root_length == 0 || path == NULL) return -1;
  if (path[0] == '/') {
    snprintf(out, PATH_MAX, "%s", path);
  } else {
    char base[PATH_MAX], link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = folder == AT_FDCWD
                         ? (getcwd(base, sizeof base) != NULL ? (ssize_t)strlen(base) : -1)
                         : (ssize_t)syscall(SYS_readlinkat, AT_FDCWD, link, base, sizeof base - 1);
    if (length < 0 || (size_t)length + strlen(path) + 2 > PATH_MAX) return -1;
    base[length] = 0;
    memcpy(out, base, (size_t)length);
    out[length] = '/';
    strcpy(out + length + 1, path);
  }
  return is_inside(out) ? 0 : -1;
}

// Whether a descriptor leads below the root, and to which path.
static int path_of(int descriptor, char out[PATH_MAX]) {
  if (root_length == 0) return -1;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, out, PATH_MAX - 1);
  if (length < 0) return -1;
  out[length] = 0;
  return is_inside(out) ? 0 : -1;
}

static int is_ours(int descriptor) {
  char path[PATH_MAX];
  return path_of(descriptor, path) == 0;
}

// ---- failing

// Counts a call; nonzero when it is to fail, with errno set.
static int fails(enum kind kind) {
  long number = __atomic_add_fetch(&counts[kind], 1, __ATOMIC_SEQ_CST);
  if ((int)kind != fail_kind || number < fail_number || number - fail_number >= fail_count)
    return 0;
  if (fail_errno == 0) kill(getpid(), SIGKILL);
  errno = fail_errno;
  return 1;
}

// ---- recording

static void record(
    char operation, ino_t inode, long long number, const void *one, size_t first, const void *two,
    size_t second) {
  if (log_descriptor < 0) return;
  int code = errno;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  char line[160];
  int length = snprintf(
      line, sizeof line, "%c %llu %lld %lld %zu %zu\n", operation, (unsigned long long)inode, number,
      (long long)now.tv_sec * 1000000000 + now.tv_nsec, first, second);
  struct iovec parts[3] = {
      {line, (size_t)length}, {(void *)one, first}, {(void *)two, second}};
  (void)!syscall(SYS_writev, log_descriptor, parts, 3);
  errno = code;
}

static void record_path(char operation, ino_t inode, const char *path) {
  record(operation, inode, 0, path, strlen(path), "", 0);
}

static void record_two(char operation, ino_t inode, const char *one, const char *two) {
  record(operation, inode, 0, one, strlen(one), two, strlen(two));
}

static ino_t inode_of(int descriptor) {
  struct stat status;
  return syscall(SYS_fstat, descriptor, &status) == 0 ? status.st_ino : 0;
}

static ino_t inode_at(const char *path) {
  struct stat status;
  return syscall(SYS_newfstatat, AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_ino
                                                                                    : 0;
}

#define IN_ORDER(body)          \
  pthread_mutex_lock(&order);   \
  body;                         \
  pthread_mutex_unlock(&order)

// ---- opening

static int do_open(int folder, const char *path, int flags, mode_t mode) {
  char whole[PATH_MAX];
  if (resolve(folder, path, whole) != 0)
    return (int)syscall(SYS_openat, folder, path, flags, mode);
  if (fails(kind_open)) return -1;
  int result;
  IN_ORDER({
    ino_t before = inode_at(whole);
    result = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (result >= 0 && (flags & O_CREAT) && before == 0) record_path('c', inode_of(result), whole);
    if (result >= 0 && (flags & O_TRUNC) && before != 0)
      record('t', before, 0, "", 0, "", 0);
  });
  return result;
}

#define MODE(flags)                                            \
  mode_t mode = 0;                                             \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {                     \
    va_list list;                                              \
    va_start(list, flags);                                     \
    mode = va_arg(list, mode_t);                               \
    va_end(list);                                              \
  }

int open(const char *path, int flags, ...) {
  MODE(flags)
  return do_open(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE(flags)
  return do_open(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  MODE(flags)
  return do_open(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
  MODE(flags)
  return do_open(folder, path, flags | O_LARGEFILE, mode);
}
int creat(const char *path, mode_t mode) {
  return do_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

// ---- content

static ssize_t do_pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  if (!is_ours(descriptor)) return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
  if (fails(kind_write)) return -1;
  ssize_t result;
  IN_ORDER({
    result = syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    if (result > 0) record('w', inode_of(descriptor), offset, bytes, (size_t)result, "", 0);
  });
  return result;
}
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return do_pwrite(descriptor, bytes, count, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  return do_pwrite(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (descriptor == STDOUT_FILENO && count > 4 && memcmp(bytes, "ack ", 4) == 0) {
    ssize_t result;
    IN_ORDER({
      result = syscall(SYS_write, descriptor, bytes, count);
      record('k', 0, 0, bytes, count, "", 0);
    });
    return result;
  }
  if (!is_ours(descriptor)) return syscall(SYS_write, descriptor, bytes, count);
  if (fails(kind_write)) return -1;
  ssize_t result;
  IN_ORDER({
    off_t offset = (fcntl(descriptor, F_GETFL) & O_APPEND) ? lseek(descriptor, 0, SEEK_END)
                                                           : lseek(descriptor, 0, SEEK_CUR);
    result = syscall(SYS_write, descriptor, bytes, count);
    if (result > 0) record('w', inode_of(descriptor), offset, bytes, (size_t)result, "", 0);
  });
  return result;
}

static ssize_t do_pread(int descriptor, void *bytes, size_t count, off_t offset) {
  if (is_ours(descriptor) && fails(kind_read)) return -1;
  return syscall(SYS_pread64, descriptor, bytes, count, offset);
}
ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  return do_pread(descriptor, bytes, count, offset);
}
ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
  return do_pread(descriptor, bytes, count, offset);
}

static int do_ftruncate(int descriptor, off_t size) {
  if (!is_ours(descriptor)) return (int)syscall(SYS_ftruncate, descriptor, size);
  if (fails(kind_truncate)) return -1;
  int result;
  IN_ORDER({
    result = (int)syscall(SYS_ftruncate, descriptor, size);
    if (result == 0) record('t', inode_of(descriptor), size, "", 0, "", 0);
  });
  return result;
}
int ftruncate(int descriptor, off_t size) { return do_ftruncate(descriptor, size); }
int ftruncate64(int descriptor, off64_t size) { return do_ftruncate(descriptor, size); }

static int do_allocate(int descriptor, off_t offset, off_t size) {
  if (is_ours(descriptor) && fails(kind_allocate)) return errno;
  int code;
  IN_ORDER({
    code = syscall(SYS_fallocate, descriptor, 0, offset, size) == 0 ? 0 : errno;
    if (code == 0 && is_ours(descriptor))
      record('a', inode_of(descriptor), offset + size, "", 0, "", 0);
  });
  return code;
}
int posix_fallocate(int descriptor, off_t offset, off_t size) {
  return do_allocate(descriptor, offset, size);
}
int posix_fallocate64(int descriptor, off64_t offset, off64_t size) {
  return do_allocate(descriptor, offset, size);
}

static int do_fsync(int descriptor, long number) {
  char path[PATH_MAX];
  if (path_of(descriptor, path) != 0) return (int)syscall(number, descriptor);
  if (fails(kind_fsync)) return -1;
  int result;
  IN_ORDER({
    result = (int)syscall(number, descriptor);
    struct stat status;
    if (result == 0 && syscall(SYS_fstat, descriptor, &status) == 0)
      record_path(S_ISDIR(status.st_mode) ? 'S' : 's', status.st_ino, path);
  });
  return result;
}
int fsync(int descriptor) { return do_fsync(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return do_fsync(descriptor, SYS_fdatasync); }

// ---- names

static int do_rename(int from, const char *path, int to, const char *new, unsigned flags) {
  char one[PATH_MAX], two[PATH_MAX];
  int is_one = resolve(from, path, one) == 0, is_two = resolve(to, new, two) == 0;
  if (!is_one && !is_two) return (int)syscall(SYS_renameat2, from, path, to, new, flags);
  if (fails(kind_rename)) return -1;
  int result;
  IN_ORDER({
    result = (int)syscall(SYS_renameat2, from, path, to, new, flags);
    if (result == 0) record_two((flags & 2) ? 'x' : 'r', 0, one, two);
  });
  return result;
}
int rename(const char *path, const char *new) {
  return do_rename(AT_FDCWD, path, AT_FDCWD, new, 0);
}
int renameat(int from, const char *path, int to, const char *new) {
  return do_rename(from, path, to, new, 0);
}
int renameat2(int from, const char *path, int to, const char *new, unsigned flags) {
  return do_rename(from, path, to, new, flags);
}

static int do_unlink(int folder, const char *path, int flags) {
  char whole[PATH_MAX];
  if (resolve(folder, path, whole) != 0) return (int)syscall(SYS_unlinkat, folder, path, flags);
  if (fails(kind_unlink)) return -1;
  int result;
  IN_ORDER({
    result = (int)syscall(SYS_unlinkat, folder, path, flags);
    if (result == 0) record_path((flags & AT_REMOVEDIR) ? 'D' : 'u', 0, whole);
  });
  return result;
}
int unlink(const char *path) { return do_unlink(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *path, int flags) { return do_unlink(folder, path, flags); }
int rmdir(const char *path) { return do_unlink(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  int result = do_unlink(AT_FDCWD, path, 0);
  return result < 0 && errno == EISDIR ? do_unlink(AT_FDCWD, path, AT_REMOVEDIR) : result;
}

static int do_link(int from, const char *path, int to, const char *new, int flags) {
  char one[PATH_MAX], two[PATH_MAX];
  (void)resolve(from, path, one);
  if (resolve(to, new, two) != 0) return (int)syscall(SYS_linkat, from, path, to, new, flags);
  if (fails(kind_link)) return -1;
  int result;
  IN_ORDER({
    result = (int)syscall(SYS_linkat, from, path, to, new, flags);
    if (result == 0) record_two('l', inode_at(two), one, two);
  });
  return result;
}
int link(const char *path, const char *new) { return do_link(AT_FDCWD, path, AT_FDCWD, new, 0); }
int linkat(int from, const char *path, int to, const char *new, int flags) {
  return do_link(from, path, to, new, flags);
}

static int do_mkdir(int folder, const char *path, mode_t mode) {
  char whole[PATH_MAX];
  if (resolve(folder, path, whole) != 0) return (int)syscall(SYS_mkdirat, folder, path, mode);
  if (fails(kind_mkdir)) return -1;
  int result;
  IN_ORDER({
    result = (int)syscall(SYS_mkdirat, folder, path, mode);
    if (result == 0) record_path('d', 0, whole);
  });
  return result;
}
int mkdir(const char *path, mode_t mode) { return do_mkdir(AT_FDCWD, path, mode); }
int mkdirat(int folder, const char *path, mode_t mode) { return do_mkdir(folder, path, mode); }

int symlink(const char *target, const char *path) {
  char whole[PATH_MAX];
  if (resolve(AT_FDCWD, path, whole) == 0) record_path('!', 0, "symlink");
  return (int)syscall(SYS_symlinkat, target, AT_FDCWD, path);
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  char whole[PATH_MAX];
  int result;
  IN_ORDER({
    result = (int)syscall(SYS_utimensat, folder, path, times, flags);
    struct stat status;
    if (result == 0 && resolve(folder, path, whole) == 0 &&
        syscall(SYS_newfstatat, AT_FDCWD, whole, &status, AT_SYMLINK_NOFOLLOW) == 0)
      record(
          'm', status.st_ino, (long long)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec,
          "", 0, "", 0);
  });
  return result;
}

// The exchange and the rename that replaces nothing come through here, and much that is none of our business.
#undef syscall
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a[6];
  for (int index = 0; index < 6; index++) a[index] = va_arg(list, long);
  va_end(list);
  if (number == SYS_renameat2)
    return do_rename(
        (int)a[0], (const char *)a[1], (int)a[2], (const char *)a[3], (unsigned)a[4]);
  return kernel()(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
#define syscall kernel()

// ---- looking

#define LOOKS_AT(folder, path)                                               \
  char whole[PATH_MAX];                                                      \
  if (resolve(folder, path, whole) == 0 && fails(kind_stat)) return -1

static int do_stat(int folder, const char *path, struct stat *out, int flags) {
  LOOKS_AT(folder, path);
  return (int)syscall(SYS_newfstatat, folder, path, out, flags);
}
int stat(const char *path, struct stat *out) { return do_stat(AT_FDCWD, path, out, 0); }
int stat64(const char *path, struct stat64 *out) {
  return do_stat(AT_FDCWD, path, (struct stat *)out, 0);
}
int lstat(const char *path, struct stat *out) {
  return do_stat(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}
int lstat64(const char *path, struct stat64 *out) {
  return do_stat(AT_FDCWD, path, (struct stat *)out, AT_SYMLINK_NOFOLLOW);
}
int fstatat(int folder, const char *path, struct stat *out, int flags) {
  return do_stat(folder, path, out, flags);
}
int fstatat64(int folder, const char *path, struct stat64 *out, int flags) {
  return do_stat(folder, path, (struct stat *)out, flags);
}
static int do_fstat(int descriptor, struct stat *out) {
  if (is_ours(descriptor) && fails(kind_stat)) return -1;
  return (int)syscall(SYS_fstat, descriptor, out);
}
int fstat(int descriptor, struct stat *out) { return do_fstat(descriptor, out); }
int fstat64(int descriptor, struct stat64 *out) { return do_fstat(descriptor, (struct stat *)out); }
int access(const char *path, int mode) {
  LOOKS_AT(AT_FDCWD, path);
  return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

DIR *opendir(const char *path) {
  REAL(opendir);
  char whole[PATH_MAX];
  if (resolve(AT_FDCWD, path, whole) == 0 && fails(kind_list)) return NULL;
  return real(path);
}
struct dirent *readdir(DIR *folder) {
  REAL(readdir);
  if (is_ours(dirfd(folder)) && fails(kind_list)) return NULL;
  return real(folder);
}
struct dirent64 *readdir64(DIR *folder) {
  REAL(readdir64);
  if (is_ours(dirfd(folder)) && fails(kind_list)) return NULL;
  return real(folder);
}

// ---- locking

int flock(int descriptor, int operation) {
  // No kernel lets the end of one of these fail.
  if (!(operation & LOCK_UN) && is_ours(descriptor) && fails(kind_flock)) return -1;
  return (int)syscall(SYS_flock, descriptor, operation);
}

static int is_lock(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
         command == F_OFD_SETLKW;
}
static int do_fcntl(int descriptor, int command, void *argument) {
  if (is_lock(command) && is_ours(descriptor)) {
    // An unlock may fail if the file is on a server, or if it would split a lock.
    int is_end = ((struct flock *)argument)->l_type == F_UNLCK;
    if (fails(is_end ? kind_unlock : kind_lock)) return -1;
  }
  return (int)syscall(SYS_fcntl, descriptor, command, argument);
}
#define ARGUMENT(command)                \
  va_list list;                          \
  va_start(list, command);               \
  void *argument = va_arg(list, void *); \
  va_end(list)
int fcntl(int descriptor, int command, ...) {
  ARGUMENT(command);
  return do_fcntl(descriptor, command, argument);
}
int fcntl64(int descriptor, int command, ...) {
  ARGUMENT(command);
  return do_fcntl(descriptor, command, argument);
}
