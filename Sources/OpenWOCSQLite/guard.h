// Shared by the files of the guard; not seen by Swift.
#ifndef OPENWO_GUARD_H
#define OPENWO_GUARD_H

#include <errno.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "OpenWOCSQLite.h"

// Which file was at a name, and in which state.
typedef struct {
  dev_t device;
  ino_t inode;
  off_t size;
  int64_t modified, changed;  // nanoseconds
} guard_identity;

typedef struct {
  void *bytes;
  int count, room;  // no bytes: there is none
  int64_t offset;
} guard_page;

// The state of a file from the start of a write until the check after it.
typedef struct {
  int on, foreign;                           // whether somebody else was found to have written
  int begun;                                 // whether anything of the transaction was to be written yet
  int withheld;                              // somebody else had written before: nothing of it is written
  guard_identity found;                      // the file as the transaction found it
  guard_identity left;                       // the file after the last write; no inode: not known
  unsigned char header[OPENWO_HEADER_SIZE];  // what the file has to begin with
  guard_page first;                          // the first page as it is to be; not written yet
  guard_page early, other;                   // other pages: the one that was written first, and the last one
} guard_watch;

// A main database file as SQLite sees it; the file of the VFS beneath follows it in memory.
typedef struct guard_file {
  sqlite3_file shown;
  struct guard_file *next;    // in the list of open files
  const char *name;           // the path of the file
  const char *journal, *wal;  // the names SQLite itself uses, compared by address
  openwo_policy policy;
  openwo_judge judge;
  void *context;
  pid_t opener;
  int lock;        // the lock SQLite holds, SQLITE_LOCK_NONE and up
  int readonly;
  int64_t known_size;       // size of the file in this transaction, -1 when not looked up yet
  guard_identity approved;  // the journal that the judge lets SQLite play back
  guard_identity own;       // the journal this connection made or plays back
  openwo_changes changes;
  guard_watch watch;
} guard_file;

extern const sqlite3_io_methods guard_main_methods;
int guard_close_main(sqlite3_file *file);  // in vfs.c, which knows the list of files

static inline int guard_forked(const guard_file *file) { return getpid() != file->opener; }

static inline sqlite3_file *guard_base(guard_file *file) { return (sqlite3_file *)(file + 1); }

// Whether an error of lstat says that nothing has the name, or ever can.
static inline int guard_is_absent(int error) {
  return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG;
}

// vfs.c: opens a file of the VFS beneath; the methods of one that failed to open are what that VFS left
int guard_open_beneath(const char *name, sqlite3_file *file, int flags, int *out_flags);

// journal.c
int guard_look(const char *name, guard_identity *identity);
int guard_same(const guard_identity *a, const guard_identity *b);
int guard_same_file(const guard_identity *a, const guard_identity *b);
int guard_has_other_names(const char *name);
int guard_open_journal(sqlite3_vfs *base, guard_file *main, const char *name, sqlite3_file *file, int flags,
                       int *out_flags);
int guard_delete_journal(sqlite3_vfs *base, guard_file *main, const char *name, int sync);
int guard_open_empty(sqlite3_file *file, int flags, int *out_flags);

// content.c
const openwo_content *guard_awaited_content(void);  // what this thread is just opening, or NULL
void guard_open_content(sqlite3_file *file, const openwo_content *content);
extern const int guard_content_file_size;

// watch.c
int guard_withholds(guard_file *file);
void guard_note_left(guard_file *file);
int guard_hold_write(guard_file *file, const void *bytes, int count, int64_t offset);
int guard_write_held(guard_file *file);
void guard_end_watch(guard_file *file);

// changes.c
void guard_note_write(guard_file *file, int64_t offset, int64_t count);
void guard_note_truncate(guard_file *file, int64_t size);

#endif
