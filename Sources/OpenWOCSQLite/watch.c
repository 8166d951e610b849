// Detects a program that writes to the file without a lock during our transaction, as some services
// do. Each time of the file's is compared: from the start of the transaction to its first write, and
// from its last write to the check. What a service writes before the first write would be mixed with
// our pages, so then nothing of the transaction is written.
//
// Between our first and last write the times are ours, and only pages can tell. Another state of a
// database mostly has another first page, since each commit increases a counter there; but two states
// that follow from one can have the same count. So our first page is written last, and the page in
// its place must still be the one that the transaction found; and the first and the last of the other
// pages must be as we wrote them.
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

// Whether nothing may be written, because somebody else has written since the transaction began.
int guard_withholds(guard_file *file) {
  guard_watch *watch = &file->watch;
  if (!watch->on || watch->begun) return watch->on && watch->withheld;
  watch->begun = 1;
  guard_identity now;
  // Another file at the name says nothing of the open one.
  watch->withheld = watch->found.inode && guard_look(file->name, &now) == 1 &&
                    guard_same_file(&now, &watch->found) && !guard_same(&now, &watch->found);
  return watch->withheld;
}

// Remembers how the file looks after a write.
void guard_note_left(guard_file *file) {
  if (!file->watch.on || !file->name || guard_look(file->name, &file->watch.left) == 1) return;
  file->watch.left.inode = 0;
}

// Keeps a write back, or remembers it; 0 when it is to be written now.
int guard_hold_write(guard_file *file, const void *bytes, int count, int64_t offset) {
  guard_watch *watch = &file->watch;
  if (!watch->on) return 0;
  if (offset == 0) return take(&watch->first, bytes, count, offset);
  int is_early = !watch->early.count || watch->early.offset == offset;
  if (is_early && !take(&watch->early, bytes, count, offset)) watch->early.count = 0;
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
  guard_note_left(file);
  if (!rc) memcpy(file->watch.header, first->bytes, sizeof found);
  return rc;
}

void guard_end_watch(guard_file *file) {
  sqlite3_free(file->watch.first.bytes);
  sqlite3_free(file->watch.early.bytes);
  sqlite3_free(file->watch.other.bytes);
  file->watch = (guard_watch){0};
}

int openwo_watch_writes(sqlite3_file *shown, unsigned char *header) {
  guard_file *file = (guard_file *)shown;
  guard_watch *watch = &file->watch;
  watch->foreign = watch->first.count = watch->early.count = watch->other.count = 0;
  watch->begun = watch->withheld = 0;
  watch->left = watch->found = (guard_identity){0};
  if (file->name && guard_look(file->name, &watch->found) != 1) watch->found.inode = 0;
  int rc = read_beginning(file, watch->header);
  watch->on = !rc;
  if (!rc) memcpy(header, watch->header, sizeof watch->header);
  return rc;
}

// Whether a page is as we wrote it.
static int is_kept(guard_file *file, const guard_page *page, int *answer) {
  *answer = 1;
  if (!page->count) return SQLITE_OK;
  void *found = sqlite3_malloc(page->count);
  if (!found) return SQLITE_NOMEM;
  int rc = openwo_file_read(&file->shown, found, page->count, page->offset);
  *answer = !rc && !memcmp(found, page->bytes, (size_t)page->count);
  sqlite3_free(found);
  return rc;
}

int openwo_withheld(sqlite3_file *shown) { return ((guard_file *)shown)->watch.withheld; }

int openwo_written_by_others(sqlite3_file *shown, openwo_others *answer) {
  guard_file *file = (guard_file *)shown;
  const guard_watch *watch = &file->watch;
  *answer = OPENWO_OTHERS_WROTE;
  if (watch->foreign) return SQLITE_OK;
  unsigned char header[OPENWO_HEADER_SIZE];
  int rc = read_beginning(file, header);
  if (rc) return rc;
  if (memcmp(header, watch->header, sizeof header)) return SQLITE_OK;
  int early, other;
  if ((rc = is_kept(file, &watch->early, &early)) || (rc = is_kept(file, &watch->other, &other))) return rc;
  if (!early || !other) return SQLITE_OK;
  *answer = OPENWO_OTHERS_SILENT;
  guard_identity now;
  int seen = file->name && watch->begun && guard_look(file->name, &now) == 1;
  if (seen && guard_same_file(&now, &watch->found) && !guard_same(&now, &watch->left))
    *answer = OPENWO_OTHERS_MAY;
  return SQLITE_OK;
}
