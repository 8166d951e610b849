// Detects a program that writes to the file without a lock during our transaction, as some services
// do. Another state of a database has another first page, since each commit increases a counter
// there. So our first page is written last, and the page in its place must still be the one that
// the transaction found. A later writer has written over another page of ours, or shows in the
// first one.
#include <string.h>

#include "guard.h"

static int take(guard_page *page, const void *bytes, int count, int64_t offset) {
  if (page->room < count) {
    void *larger = sqlite3_realloc(page->bytes, count);
    if (!larger) return 0;
    page->bytes = larger;
    page->room = count;
  }
  memcpy(page->bytes, bytes, (size_t)count);
  page->count = count;
  page->offset = offset;
  return 1;
}

static int read_beginning(guard_file *file, void *buffer) {
  sqlite3_file *base = guard_base(file);
  memset(buffer, 0, OPENWO_HEADER_SIZE);
  int rc = base->pMethods->xRead(base, buffer, OPENWO_HEADER_SIZE, 0);
  return rc == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : rc;
}

// Keeps a write back, or remembers it; 0 when it is to be written now.
int guard_hold_write(guard_file *file, const void *bytes, int count, int64_t offset) {
  guard_watch *watch = &file->watch;
  if (!watch->on) return 0;
  if (offset == 0) return take(&watch->first, bytes, count, offset);
  if (!take(&watch->other, bytes, count, offset)) watch->other.count = 0;
  return 0;
}

// Writes what was kept back.
int guard_write_held(guard_file *file) {
  guard_page *first = &file->watch.first;
  if (!first->count) return SQLITE_OK;
  if (guard_forked(file)) return OPENWO_IOERR_FORKED;
  unsigned char found[OPENWO_HEADER_SIZE];
  int rc = read_beginning(file, found);
  if (rc) return rc;
  if (memcmp(found, file->watch.header, sizeof found)) file->watch.foreign = 1;
  sqlite3_file *base = guard_base(file);
  int count = first->count;
  first->count = 0;
  rc = base->pMethods->xWrite(base, first->bytes, count, 0);
  if (!rc) memcpy(file->watch.header, first->bytes, sizeof found);
  return rc;
}

void guard_end_watch(guard_file *file) {
  sqlite3_free(file->watch.first.bytes);
  sqlite3_free(file->watch.other.bytes);
  file->watch = (guard_watch){0};
}

int openwo_watch_writes(sqlite3_file *shown, unsigned char *header) {
  guard_file *file = (guard_file *)shown;
  guard_watch *watch = &file->watch;
  watch->foreign = watch->first.count = watch->other.count = 0;
  int rc = read_beginning(file, watch->header);
  watch->on = !rc;
  if (!rc) memcpy(header, watch->header, sizeof watch->header);
  return rc;
}

int openwo_written_by_others(sqlite3_file *shown, int *answer) {
  guard_file *file = (guard_file *)shown;
  const guard_watch *watch = &file->watch;
  *answer = 1;
  if (watch->foreign) return SQLITE_OK;
  unsigned char header[OPENWO_HEADER_SIZE];
  int rc = read_beginning(file, header);
  if (rc) return rc;
  if (memcmp(header, watch->header, sizeof header)) return SQLITE_OK;
  const guard_page *other = &watch->other;
  if (other->count) {
    void *found = sqlite3_malloc(other->count);
    if (!found) return SQLITE_NOMEM;
    rc = openwo_file_read(shown, found, other->count, other->offset);
    *answer = rc || memcmp(found, other->bytes, (size_t)other->count);
    sqlite3_free(found);
    return rc;
  }
  *answer = 0;
  return SQLITE_OK;
}
