// A main file whose bytes come from its opener: nothing is locked or written, and no file beside it
// is used.
#include <string.h>

#include "guard.h"

typedef struct {
  sqlite3_file shown;
  openwo_content content;
} content_file;

const int guard_content_file_size = sizeof(content_file);

// Set only while this thread is within openwo_open_content, so that no SQL text can open a content by a name.
static _Thread_local const openwo_content *awaited;

const openwo_content *guard_awaited_content(void) {
  const openwo_content *content = awaited;
  awaited = NULL;
  return content;
}

static int content_close(sqlite3_file *file) { return SQLITE_OK; }

static int content_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  const openwo_content *content = &((content_file *)file)->content;
  int64_t there = content->size - offset;
  int wanted = there < 0 ? 0 : there < count ? (int)there : count;
  if (wanted > 0 && content->read(content->context, buffer, wanted, offset)) return SQLITE_IOERR_READ;
  if (wanted == count) return SQLITE_OK;
  memset((char *)buffer + wanted, 0, (size_t)(count - wanted));
  return SQLITE_IOERR_SHORT_READ;
}

static int content_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  return SQLITE_READONLY;
}
static int content_truncate(sqlite3_file *file, sqlite3_int64 size) { return SQLITE_READONLY; }
static int content_sync(sqlite3_file *file, int flags) { return SQLITE_OK; }

static int content_size(sqlite3_file *file, sqlite3_int64 *size) {
  *size = ((content_file *)file)->content.size;
  return SQLITE_OK;
}

static int content_lock(sqlite3_file *file, int lock) { return SQLITE_OK; }

static int content_check(sqlite3_file *file, int *held) {
  *held = 0;
  return SQLITE_OK;
}

static int content_control(sqlite3_file *file, int operation, void *argument) { return SQLITE_NOTFOUND; }
static int content_sector(sqlite3_file *file) { return 4096; }
static int content_characteristics(sqlite3_file *file) { return SQLITE_IOCAP_IMMUTABLE; }

static const sqlite3_io_methods content_methods = {
    .iVersion = 1,
    .xClose = content_close,
    .xRead = content_read,
    .xWrite = content_write,
    .xTruncate = content_truncate,
    .xSync = content_sync,
    .xFileSize = content_size,
    .xLock = content_lock,
    .xUnlock = content_lock,
    .xCheckReservedLock = content_check,
    .xFileControl = content_control,
    .xSectorSize = content_sector,
    .xDeviceCharacteristics = content_characteristics,
};

void guard_open_content(sqlite3_file *file, const openwo_content *content) {
  *(content_file *)file = (content_file){.shown = {&content_methods}, .content = *content};
}

int openwo_open_content(openwo_content content, int flags, sqlite3 **database) {
  awaited = &content;
  int rc = sqlite3_open_v2("/content", database, flags | SQLITE_OPEN_READONLY, OPENWO_VFS);
  awaited = NULL;
  return rc;
}
