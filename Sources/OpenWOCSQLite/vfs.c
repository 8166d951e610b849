// The VFS: which file is opened how, and what may be deleted.
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "guard.h"

// Written once by `enroll`, read-only after that, but for the two lists, which the mutex guards.
static struct {
  sqlite3_vfs vfs;
  sqlite3_vfs *base;
  sqlite3_mutex *mutex;
  guard_file *files;
  struct beneath_methods *beneath;
  int result;
} guard;

// The methods of a file beneath, but for reading.
typedef struct beneath_methods {
  sqlite3_io_methods own;  // first, so that a file's methods lead to all of it
  const sqlite3_io_methods *base;
  struct beneath_methods *next;
} beneath_methods;

// SQLite says of a disk that cannot be read for a moment (EIO) that the database is damaged; nobody may act on that.
static int beneath_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  int rc = ((const beneath_methods *)file->pMethods)->base->xRead(file, buffer, count, offset);
  return rc == SQLITE_IOERR_CORRUPTFS ? SQLITE_IOERR_READ : rc;
}

// There are two or three of them in all, which stay.
static const sqlite3_io_methods *methods_beneath(const sqlite3_io_methods *base) {
  sqlite3_mutex_enter(guard.mutex);
  beneath_methods *found = guard.beneath;
  while (found && found->base != base) found = found->next;
  if (!found && (found = sqlite3_malloc(sizeof *found))) {
    *found = (beneath_methods){*base, base, guard.beneath};
    found->own.xRead = beneath_read;
    guard.beneath = found;
  }
  sqlite3_mutex_leave(guard.mutex);
  return found ? &found->own : NULL;
}

int guard_open_beneath(const char *name, sqlite3_file *file, int flags, int *out_flags) {
  int rc = guard.base->xOpen(guard.base, name, file, flags, out_flags);
  if (rc) return rc;
  const sqlite3_io_methods *methods = methods_beneath(file->pMethods);
  if (methods) return file->pMethods = methods, SQLITE_OK;
  file->pMethods->xClose(file);
  file->pMethods = NULL;
  return SQLITE_NOMEM;
}

// The open database to which SQLite itself gave this very name, for its journal or its WAL.
static guard_file *owner_of(const char *name) {
  sqlite3_mutex_enter(guard.mutex);
  guard_file *file = guard.files;
  while (file && file->journal != name && file->wal != name) file = file->next;
  sqlite3_mutex_leave(guard.mutex);
  return file;
}

int guard_close_main(sqlite3_file *shown) {
  guard_file *file = (guard_file *)shown, **link = &guard.files;
  sqlite3_mutex_enter(guard.mutex);
  while (*link != file) link = &(*link)->next;
  *link = file->next;
  sqlite3_mutex_leave(guard.mutex);
  guard_end_watch(file);
  sqlite3_free(file->changes.words);
  sqlite3_file *base = guard_base(file);
  return base->pMethods->xClose(base);
}

// A regular file or, for a new database, nothing; a link is neither.
static int open_main(const char *name, sqlite3_file *shown, int flags, int *out_flags) {
  guard_file *file = (guard_file *)shown;
  sqlite3_file *base = guard_base(file);
  struct stat s;
  int opened = 0;
  memset(file, 0, sizeof *file);
  const openwo_content *content = guard_awaited_content();
  if (!content && lstat(name, &s) == 0 && !S_ISREG(s.st_mode)) return OPENWO_CANTOPEN_KIND;
  int rc = SQLITE_OK;
  if (content) {
    guard_open_content(base, content);
    opened = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
  } else {
    rc = guard_open_beneath(name, base, flags | SQLITE_OPEN_NOFOLLOW, &opened);
  }
  if (out_flags) *out_flags = opened;
  if (rc && base->pMethods) base->pMethods->xClose(base);
  if (rc) return rc;
  file->name = content ? NULL : name;
  file->journal = sqlite3_filename_journal(name);
  file->wal = sqlite3_filename_wal(name);
  file->opener = getpid();
  file->readonly = (opened & SQLITE_OPEN_READONLY) != 0;
  file->known_size = -1;
  file->shown.pMethods = &guard_main_methods;
  sqlite3_mutex_enter(guard.mutex);
  file->next = guard.files;
  guard.files = file;
  sqlite3_mutex_leave(guard.mutex);
  return SQLITE_OK;
}

static int open_wal(const char *name, sqlite3_file *file, int flags, int *out_flags) {
  guard_file *main = owner_of(name);
  struct stat s;
  if (!main || main->policy != OPENWO_POLICY_FOLD) return OPENWO_CANTOPEN_WAL;
  if (lstat(name, &s) == 0 && !S_ISREG(s.st_mode)) return OPENWO_CANTOPEN_KIND;
  if (guard_has_other_names(name)) return OPENWO_CANTOPEN_KIND;
  return guard_open_beneath(name, file, flags | SQLITE_OPEN_NOFOLLOW, out_flags);
}

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  file->pMethods = NULL;
  if (flags & SQLITE_OPEN_MAIN_DB) return open_main(name, file, flags, out_flags);
  if (flags & SQLITE_OPEN_WAL) return open_wal(name, file, flags, out_flags);
  if (flags & SQLITE_OPEN_SUPER_JOURNAL) {
    if (flags & SQLITE_OPEN_CREATE) return OPENWO_CANTOPEN_SUPER;
    return guard_open_empty(file, flags, out_flags);  // so that SQLite finds no further journal named in it
  }
  if (flags & SQLITE_OPEN_MAIN_JOURNAL) {
    guard_file *main = owner_of(name);
    if (!main) return OPENWO_CANTOPEN_JOURNAL;
    if (getpid() != main->opener) return OPENWO_IOERR_FORKED;
    return guard_open_journal(guard.base, main, name, file, flags, out_flags);
  }
  return guard_open_beneath(name, file, flags, out_flags);
}

// SQLite asks for this while nobody else has the database open, once all that the log holds is in it. One that
// may not be removed is emptied: while it has bytes, every program takes them for newer than the database.
static int delete_log(const char *name, int sync) {
  int rc = guard.base->xDelete(guard.base, name, sync);
  if (rc == SQLITE_OK || rc == SQLITE_IOERR_DELETE_NOENT) return rc;
  sqlite3_file *log = sqlite3_malloc(guard.base->szOsFile);
  if (!log) return rc;
  log->pMethods = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_WAL | SQLITE_OPEN_NOFOLLOW;
  if (!guard_open_beneath(name, log, flags, NULL) && !log->pMethods->xTruncate(log, 0))
    log->pMethods->xSync(log, SQLITE_SYNC_NORMAL);  // before the database says that it has none
  if (log->pMethods) log->pMethods->xClose(log);
  sqlite3_free(log);
  return rc;
}

// Super-journals and whatever else a hostile journal may name are left alone, without an error.
static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync) {
  guard_file *main = owner_of(name);
  if (!main || getpid() != main->opener) return SQLITE_OK;
  if (name == main->journal) return guard_delete_journal(guard.base, main, name, sync);
  return main->policy == OPENWO_POLICY_FOLD ? delete_log(name, sync) : SQLITE_OK;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  guard_file *main = owner_of(name);
  struct stat s;
  if (!main || flags != SQLITE_ACCESS_EXISTS) return guard.base->xAccess(guard.base, name, flags, result);
  *result = 0;
  if (name == main->wal && main->policy != OPENWO_POLICY_FOLD) return SQLITE_OK;
  // A journal that cannot be read is not missing: without it the database may hold half of a
  // transaction.
  if (lstat(name, &s)) return guard_is_absent(errno) ? SQLITE_OK : SQLITE_IOERR_ACCESS;
  *result = !S_ISREG(s.st_mode) || s.st_size > 0;
  return SQLITE_OK;
}

// The name as it is: a link in the last place must not be resolved, so that opening can refuse it.
static int vfs_full_pathname(sqlite3_vfs *vfs, const char *name, int size, char *result) {
  size_t length = strlen(name), folder = 0;
  if (name[0] != '/') {
    if (!getcwd(result, (size_t)size - 1)) return SQLITE_CANTOPEN_FULLPATH;
    folder = strlen(result);
    result[folder++] = '/';
  }
  if (folder + length >= (size_t)size) return SQLITE_CANTOPEN_FULLPATH;
  memcpy(result + folder, name, length + 1);
  return SQLITE_OK;
}

static void *vfs_dl_open(sqlite3_vfs *vfs, const char *name) { return guard.base->xDlOpen(guard.base, name); }
static void vfs_dl_error(sqlite3_vfs *vfs, int count, char *text) { guard.base->xDlError(guard.base, count, text); }
static void (*vfs_dl_sym(sqlite3_vfs *vfs, void *library, const char *symbol))(void) {
  return guard.base->xDlSym(guard.base, library, symbol);
}
static void vfs_dl_close(sqlite3_vfs *vfs, void *library) { guard.base->xDlClose(guard.base, library); }
static int vfs_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  return guard.base->xRandomness(guard.base, count, bytes);
}
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) { return guard.base->xSleep(guard.base, microseconds); }
static int vfs_time(sqlite3_vfs *vfs, double *now) { return guard.base->xCurrentTime(guard.base, now); }
static int vfs_last_error(sqlite3_vfs *vfs, int count, char *text) {
  return guard.base->xGetLastError(guard.base, count, text);
}
static int vfs_time64(sqlite3_vfs *vfs, sqlite3_int64 *now) {
  return guard.base->xCurrentTimeInt64(guard.base, now);
}

static void enroll(void) {
  sqlite3_vfs *base = sqlite3_vfs_find(NULL);  // initialises SQLite
  guard.result = SQLITE_ERROR;
  if (!base || base->iVersion < 2) return;
  guard.base = base;
  guard.mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_FAST);
  guard.vfs = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = (int)sizeof(guard_file) +
                  (base->szOsFile > guard_content_file_size ? base->szOsFile : guard_content_file_size),
      .mxPathname = base->mxPathname,
      .zName = OPENWO_VFS,
      .xOpen = vfs_open,
      .xDelete = vfs_delete,
      .xAccess = vfs_access,
      .xFullPathname = vfs_full_pathname,
      .xDlOpen = vfs_dl_open,
      .xDlError = vfs_dl_error,
      .xDlSym = vfs_dl_sym,
      .xDlClose = vfs_dl_close,
      .xRandomness = vfs_randomness,
      .xSleep = vfs_sleep,
      .xCurrentTime = vfs_time,
      .xGetLastError = vfs_last_error,
      .xCurrentTimeInt64 = vfs_time64,
  };
  guard.result = sqlite3_vfs_register(&guard.vfs, 0);
}

int openwo_register(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, enroll);
  return guard.result;
}
