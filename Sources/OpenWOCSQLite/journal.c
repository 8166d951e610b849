// The journal beside a database: judged before it is used, created without following links, deleted
// only if it is our own.
#include <string.h>

#include "guard.h"

static int64_t nanoseconds(struct timespec t) { return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec; }

// The kind of file at a name: 1 and its identity for a regular file, 0 for nothing, -1 for anything
// else, -2 if that cannot be seen now.
int guard_look(const char *name, guard_identity *identity) {
  struct stat s;
  *identity = (guard_identity){0};
  if (lstat(name, &s)) return guard_is_absent(errno) ? 0 : -2;
  if (!S_ISREG(s.st_mode)) return -1;
#ifdef __APPLE__
  struct timespec modified = s.st_mtimespec, changed = s.st_ctimespec;
#else
  struct timespec modified = s.st_mtim, changed = s.st_ctim;
#endif
  *identity = (guard_identity){s.st_dev, s.st_ino, s.st_size, nanoseconds(modified), nanoseconds(changed)};
  return 1;
}

// Whether the file has another hard link, so that writing to it would change that, too.
int guard_has_other_names(const char *name) {
  struct stat s;
  return lstat(name, &s) == 0 && S_ISREG(s.st_mode) && s.st_nlink > 1;
}

int guard_same(const guard_identity *a, const guard_identity *b) {
  return a->inode && a->inode == b->inode && a->device == b->device && a->size == b->size &&
         a->modified == b->modified && a->changed == b->changed;
}

int guard_same_file(const guard_identity *a, const guard_identity *b) {
  return a->inode && a->inode == b->inode && a->device == b->device;
}

static void close_file(sqlite3_file *file) {
  file->pMethods->xClose(file);
  file->pMethods = NULL;
}

// SQLite plays back only a journal whose first byte is not zero: an unsynced or finished one begins with zeros.
static int is_live(sqlite3_file *journal, int *live) {
  unsigned char first = 0;
  int rc = journal->pMethods->xRead(journal, &first, 1, 0);
  *live = first != 0;
  return rc == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : rc;
}

// A file without content, for what SQLite is to find empty.

static int empty_close(sqlite3_file *file) { return file->pMethods = NULL, SQLITE_OK; }
static int empty_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  memset(buffer, 0, (size_t)count);
  return count ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}
static int empty_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  return SQLITE_IOERR_WRITE;
}
static int empty_truncate(sqlite3_file *file, sqlite3_int64 size) { return SQLITE_OK; }
static int empty_sync(sqlite3_file *file, int flags) { return SQLITE_OK; }
static int empty_size(sqlite3_file *file, sqlite3_int64 *size) { return *size = 0, SQLITE_OK; }
static int empty_lock(sqlite3_file *file, int lock) { return SQLITE_OK; }
static int empty_check(sqlite3_file *file, int *held) { return *held = 0, SQLITE_OK; }
static int empty_control(sqlite3_file *file, int operation, void *argument) { return SQLITE_NOTFOUND; }
static int empty_number(sqlite3_file *file) { return 0; }

static const sqlite3_io_methods empty_methods = {
    1,          empty_close, empty_read,  empty_write,   empty_truncate, empty_sync, empty_size,
    empty_lock, empty_lock,  empty_check, empty_control, empty_number,   empty_number,
};

int guard_open_empty(sqlite3_file *file, int flags, int *out_flags) {
  file->pMethods = &empty_methods;
  if (out_flags) *out_flags = flags;
  return SQLITE_OK;
}

// Whether another file has the database's name. The journal may then be that one's, and in use: a lock on this file says nothing of it.
static int moved(sqlite3_file *base) {
  int answer = 0;
  int rc = base->pMethods->xFileControl(base, SQLITE_FCNTL_HAS_MOVED, &answer);
  return !rc && answer ? SQLITE_READONLY_DBMOVED : SQLITE_OK;
}

// Asks the judge while nobody else can read or write. A lock of RESERVED would not do: to others it says that
// the database is whole and the journal ours. After OPENWO_REPLAY the lock stays, for SQLite takes it next.
static int judge(guard_file *main, const char *name, openwo_verdict *verdict) {
  sqlite3_file *base = guard_base(main);
  *verdict = main->policy == OPENWO_POLICY_PRIVATE ? OPENWO_REPLAY : OPENWO_REFUSE;
  if (!main->judge) return SQLITE_OK;
  int raise = main->lock < SQLITE_LOCK_RESERVED;
  int rc = raise ? base->pMethods->xLock(base, SQLITE_LOCK_EXCLUSIVE) : SQLITE_OK;
  if (!rc) rc = moved(base);
  if (!rc) *verdict = main->judge(main->context, &main->shown, name);
  if (!rc && *verdict == OPENWO_REFUSE) rc = moved(base);
  if (!raise || (!rc && *verdict == OPENWO_REPLAY)) return rc;
  int unlocked = base->pMethods->xUnlock(base, main->lock);
  return rc ? rc : unlocked;
}

// SQLite checks whether the journal is hot. It holds SHARED and saw no other writer. A journal that
// the judge moved away looks like an empty file, which SQLite ignores.
static int open_probe(guard_file *main, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  guard_identity judged, after;
  openwo_verdict verdict = OPENWO_REPLAY;
  int live;
  main->approved = main->own = (guard_identity){0};
  if (guard_look(name, &judged) < 0) return OPENWO_CANTOPEN_JOURNAL;
  int rc = guard_open_beneath(name, file, flags | SQLITE_OPEN_NOFOLLOW, out_flags);
  int kind = guard_look(name, &judged);  // not before: as root, opening it has touched it
  if (kind == 0 && rc) return guard_open_empty(file, flags, out_flags);
  if (rc) return OPENWO_CANTOPEN_JOURNAL;
  rc = is_live(file, &live);
  if (!rc && (!live || main->readonly)) return SQLITE_OK;  // read-only: SQLite itself refuses to play it back
  if (!rc) rc = judge(main, name, &verdict);
  if (!rc && verdict == OPENWO_REPLAY) {
    if (guard_look(name, &after) == 1 && guard_same(&judged, &after)) main->approved = after;
    return SQLITE_OK;
  }
  close_file(file);
  if (rc) return rc;
  return verdict == OPENWO_GONE ? guard_open_empty(file, flags, out_flags) : OPENWO_CANTOPEN_JOURNAL;
}

// SQLite plays the journal back. It holds EXCLUSIVE. What was judged must be what is played.
static int open_playback(guard_file *main, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  guard_identity now;
  int opened = 0;
  if (guard_look(name, &now) < 0) return OPENWO_CANTOPEN_JOURNAL;
  if (!guard_same(&main->approved, &now)) return SQLITE_BUSY;  // another one by now, or none: SQLite comes again
  int rc = guard_open_beneath(name, file, flags | SQLITE_OPEN_NOFOLLOW, &opened);
  if (out_flags) *out_flags = opened;
  if (rc && guard_look(name, &now) == 0) return SQLITE_BUSY;
  if (rc || opened & SQLITE_OPEN_READONLY) return rc;  // SQLite gives up when it cannot write to it
  main->own = now;
  main->changes.unknown = 1;
  return SQLITE_OK;
}

// SQLite starts its own transaction. A file at the name may be left over, but is not in use.
static int open_new(sqlite3_vfs *base, guard_file *main, const char *name, sqlite3_file *file, int flags,
                    int *out_flags) {
  guard_identity found;
  int live = 0, opened = 0, kind = guard_look(name, &found), asked = flags;
  if (kind < 0) return OPENWO_CANTOPEN_JOURNAL;
  flags |= kind ? SQLITE_OPEN_NOFOLLOW : SQLITE_OPEN_EXCLUSIVE;
  int rc = guard_open_beneath(name, file, flags, &opened);
  if (out_flags) *out_flags = opened;
  if (rc) return rc;
  rc = is_live(file, &live);
  if (!rc && !live && guard_has_other_names(name)) {
    close_file(file);
    rc = base->xDelete(base, name, 0);
    return rc ? rc : open_new(base, main, name, file, asked, out_flags);
  }
  if (!rc && !live && !(opened & SQLITE_OPEN_READONLY) && guard_look(name, &main->own) == 1) return SQLITE_OK;
  close_file(file);
  if (rc) return rc;
  // One that could not be made and can be read has come since the look.
  return !kind && opened & SQLITE_OPEN_READONLY ? SQLITE_BUSY : OPENWO_CANTOPEN_JOURNAL;
}

int guard_open_journal(sqlite3_vfs *base, guard_file *main, const char *name, sqlite3_file *file, int flags,
                       int *out_flags) {
  if (flags & SQLITE_OPEN_CREATE) return open_new(base, main, name, file, flags, out_flags);
  if (flags & SQLITE_OPEN_READONLY) return open_probe(main, name, file, flags, out_flags);
  return open_playback(main, name, file, flags, out_flags);
}

// SQLite ends a transaction, or finds a journal beside an empty database. A foreign one is evidence and
// stays; the next transaction judges it.
int guard_delete_journal(sqlite3_vfs *base, guard_file *main, const char *name, int sync) {
  guard_identity found, own = main->own;
  openwo_verdict verdict = OPENWO_REPLAY;
  int rc = SQLITE_OK, kind = guard_look(name, &found);
  if (kind == -2) return SQLITE_IOERR_DELETE;  // while it exists, the transaction is not over
  main->own = (guard_identity){0};
  if (kind < 0 || (kind > 0 && own.inode && !guard_same_file(&own, &found))) return SQLITE_OK;
  if (kind > 0 && !own.inode && found.size > 0) rc = judge(main, name, &verdict);
  return rc || verdict != OPENWO_REPLAY ? rc : base->xDelete(base, name, sync);
}
