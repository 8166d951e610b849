// The main database file as SQLite sees it: each call goes to the file beneath, and writes are noted. A
// forked child may neither lock nor write, because the locks it believes to hold are its parent's.
#include <string.h>

#include "guard.h"

#define BASE sqlite3_file *base = guard_base((guard_file *)file)

// The same for what has to find all that was written.
#define WHOLE_BASE                                  \
  BASE;                                             \
  int held = guard_write_held((guard_file *)file);  \
  if (held) return held

static int main_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  WHOLE_BASE;
  return base->pMethods->xRead(base, buffer, count, offset);
}

static int main_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  BASE;
  if (guard_forked((guard_file *)file)) return OPENWO_IOERR_FORKED;
  guard_note_write((guard_file *)file, offset, count);
  if (guard_withholds((guard_file *)file)) return SQLITE_OK;
  if (guard_hold_write((guard_file *)file, bytes, count, offset)) return SQLITE_OK;
  int rc = base->pMethods->xWrite(base, bytes, count, offset);
  ((guard_file *)file)->watch.left.inode = 0;
  return rc;
}

static int main_truncate(sqlite3_file *file, sqlite3_int64 size) {
  WHOLE_BASE;
  if (guard_forked((guard_file *)file)) return OPENWO_IOERR_FORKED;
  guard_note_truncate((guard_file *)file, size);
  if (guard_withholds((guard_file *)file)) return SQLITE_OK;
  int rc = base->pMethods->xTruncate(base, size);
  guard_note_left((guard_file *)file);
  return rc;
}

static int main_sync(sqlite3_file *file, int flags) {
  WHOLE_BASE;
  return base->pMethods->xSync(base, flags);
}

static int main_size(sqlite3_file *file, sqlite3_int64 *size) {
  WHOLE_BASE;
  return base->pMethods->xFileSize(base, size);
}

static openwo_gate gate;

void openwo_set_gate(openwo_gate given) { gate = given; }

static int main_lock(sqlite3_file *file, int lock) {
  BASE;
  guard_file *guard = (guard_file *)file;
  if (guard_forked(guard)) return OPENWO_IOERR_FORKED;
  int rc = base->pMethods->xLock(base, lock);
  if (rc) return rc;
  // Ask after other programs can see this writer, so that a later locker of the store finds this
  // transaction.
  if (gate && lock >= SQLITE_LOCK_RESERVED && guard->lock < SQLITE_LOCK_RESERVED && gate(guard->journal)) {
    rc = base->pMethods->xUnlock(base, guard->lock);
    return rc ? rc : SQLITE_BUSY;
  }
  if (guard->lock < SQLITE_LOCK_RESERVED) guard->known_size = -1;
  if (lock > guard->lock) guard->lock = lock;
  return SQLITE_OK;
}

static int main_unlock(sqlite3_file *file, int lock) {
  BASE;
  guard_file *guard = (guard_file *)file;
  int held = guard_write_held(guard), rc = base->pMethods->xUnlock(base, lock);
  if (lock < guard->lock) guard->lock = lock;
  // A page that could not be written by now never is: somebody else may commit next, and the journal has the one before it.
  if (lock < SQLITE_LOCK_RESERVED) guard->watch.on = guard->watch.first.count = 0;
  guard->known_size = -1;
  return held ? held : rc;
}

static int main_check(sqlite3_file *file, int *held) {
  BASE;
  return base->pMethods->xCheckReservedLock(base, held);
}

// SQLite says here that a transaction is written, also where nothing is synced.
static int main_control(sqlite3_file *file, int operation, void *argument) {
  WHOLE_BASE;
  return base->pMethods->xFileControl(base, operation, argument);
}

static int main_sector(sqlite3_file *file) {
  BASE;
  return base->pMethods->xSectorSize(base);
}

static int main_characteristics(sqlite3_file *file) {
  BASE;
  return base->pMethods->xDeviceCharacteristics(base);
}

static int main_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  BASE;
  if (base->pMethods->iVersion < 2) return SQLITE_IOERR_SHMMAP;
  const char *wal = ((guard_file *)file)->wal;
  char *index = sqlite3_mprintf("%.*sshm", (int)strlen(wal) - 3, wal);
  if (!index) return SQLITE_NOMEM;
  int shared = guard_has_other_names(index);
  sqlite3_free(index);
  if (shared) return OPENWO_CANTOPEN_KIND;
  ((guard_file *)file)->changes.unknown = 1;  // in WAL mode the file changes without locks that we see
  return base->pMethods->xShmMap(base, page, size, extend, memory);
}

static int main_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  BASE;
  return base->pMethods->xShmLock(base, offset, count, flags);
}

static void main_barrier(sqlite3_file *file) {
  BASE;
  base->pMethods->xShmBarrier(base);
}

static int main_unmap(sqlite3_file *file, int remove) {
  BASE;
  return base->pMethods->iVersion < 2 ? SQLITE_OK : base->pMethods->xShmUnmap(base, remove);
}

#define COMMON_METHODS                                                                                       \
  .xClose = guard_close_main, .xRead = main_read, .xWrite = main_write, .xTruncate = main_truncate,         \
  .xSync = main_sync, .xFileSize = main_size, .xLock = main_lock, .xUnlock = main_unlock,                   \
  .xCheckReservedLock = main_check, .xFileControl = main_control, .xSectorSize = main_sector,               \
  .xDeviceCharacteristics = main_characteristics

// Version 1 has no shared memory: SQLite then neither enters WAL mode nor looks at a -wal file.
const sqlite3_io_methods guard_main_methods = {.iVersion = 1, COMMON_METHODS};

// Version 2 has it. Version 3, memory mapping, is left out: a file cut short by a service would kill us.
static const sqlite3_io_methods fold_methods = {
    .iVersion = 2,
    COMMON_METHODS,
    .xShmMap = main_map,
    .xShmLock = main_shm_lock,
    .xShmBarrier = main_barrier,
    .xShmUnmap = main_unmap,
};

sqlite3_file *openwo_main_file(sqlite3 *database) {
  sqlite3_file *file = NULL;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file)) return NULL;
  if (!file) return NULL;
  return file->pMethods == &guard_main_methods || file->pMethods == &fold_methods ? file : NULL;
}

void openwo_set_policy(sqlite3_file *file, openwo_policy policy, openwo_judge judge, void *context) {
  guard_file *guard = (guard_file *)file;
  guard->policy = policy;
  guard->judge = judge;
  guard->context = context;
  file->pMethods = policy == OPENWO_POLICY_FOLD ? &fold_methods : &guard_main_methods;
}

int openwo_file_read(sqlite3_file *file, void *buffer, int count, int64_t offset) {
  int rc = main_read(file, buffer, count, offset);
  return rc == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : rc;
}

int openwo_file_size(sqlite3_file *file, int64_t *size) {
  sqlite3_int64 found = 0;
  int rc = main_size(file, &found);
  *size = found;
  return rc;
}
