// The guard as an extension that any program can load into SQLite: it offers the VFS `openwo`, which refuses journals that nobody has
// judged, links and WAL mode, and lets nobody write while a lock is visible.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "OpenWOCSQLite.h"

// The one definition of what the other files call SQLite through.
const sqlite3_api_routines *sqlite3_api;

enum { MOST_BYTES = 65536, OLDEST_SQLITE = 3038000 };

// Reads a small file: its length, -1 if there is none, -2 if it cannot be read or is no small file.
static int read_small(const char *path, char *text) {
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return errno == ENOENT ? -1 : -2;
  int length = 0, got = 1;
  while (length <= MOST_BYTES && got > 0) {
    got = (int)read(file, text + length, (size_t)(MOST_BYTES + 1 - length));
    if (got > 0) length += got;
  }
  close(file);
  return got < 0 || length > MOST_BYTES ? -2 : length;
}

// Whether a name is that of a device's file; a copy that a service made has another form.
static int is_device_file(const char *name) {
  size_t length = strspn(name, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-");
  return length > 0 && length < 24 && strcmp(name + length, ".json") == 0;
}

// Asks a question about a JSON text: a number, and the text of the second column if there is one.
static int ask(sqlite3 *db, const char *question, const char *json, int length, const char *word, char **answer) {
  sqlite3_stmt *statement = NULL;
  int result = -1;
  if (sqlite3_prepare_v2(db, question, -1, &statement, NULL)) return -1;
  sqlite3_bind_text(statement, 1, json, length, SQLITE_STATIC);
  if (word) sqlite3_bind_text(statement, 2, word, -1, SQLITE_STATIC);
  if (sqlite3_step(statement) == SQLITE_ROW) {
    result = sqlite3_column_int(statement, 0);
    if (answer && sqlite3_column_type(statement, 1) == SQLITE_TEXT)
      *answer = sqlite3_mprintf("%s", sqlite3_column_text(statement, 1));
  }
  sqlite3_finalize(statement);
  return result;
}

// A lock of a later format counts, as nobody here can tell whether it has ended. A file that is no lock does not.
static const char counts[] =
    "SELECT CASE WHEN NOT json_valid(?1) THEN 0"
    " WHEN json_extract(?1, '$.format') > 1 THEN 1"
    " WHEN json_type(?1, '$.id') IS NOT 'text' OR json_type(?1, '$.device') IS NOT 'text'"
    "   OR json_type(?1, '$.since') IS NOT 'text' THEN 0"
    " WHEN julianday(json_extract(?1, '$.until')) <= julianday('now') THEN 0"
    " ELSE 1 END, CASE WHEN json_valid(?1) THEN json_extract(?1, '$.id') END";

static const char revokes[] =
    "SELECT CASE WHEN json_valid(?1) THEN EXISTS (SELECT 1 FROM json_each(?1, '$.revoked') WHERE value IS ?2) ELSE 0 END";

// Whether a device has ended a lock by force.
static int is_revoked(sqlite3 *db, const char *companion, const char *id, char *text) {
  char path[4096];
  int found = 0;
  if (snprintf(path, sizeof path, "%s/devices", companion) >= (int)sizeof path) return 0;
  DIR *folder = opendir(path);
  if (!folder) return 0;
  for (struct dirent *entry; !found && (entry = readdir(folder));) {
    if (!is_device_file(entry->d_name)) continue;
    if (snprintf(path, sizeof path, "%s/devices/%s", companion, entry->d_name) >= (int)sizeof path) continue;
    int length = read_small(path, text);
    found = length > 0 && ask(db, revokes, text, length, id, NULL) == 1;
  }
  closedir(folder);
  return found;
}

// Judges one lock file; what cannot be read may be a lock.
static int is_lock(sqlite3 **db, const char *companion, const char *name, char *text) {
  char path[4096], *id = NULL;
  if (snprintf(path, sizeof path, "%s/locks/%s", companion, name) >= (int)sizeof path) return 1;
  int length = read_small(path, text);
  if (length == -1) return 0;
  if (length < 0) return 1;
  if (!*db && sqlite3_open_v2(":memory:", db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL)) return 1;
  int answer = ask(*db, counts, text, length, NULL, &id);
  if (answer && id && is_revoked(*db, companion, id, text)) answer = 0;
  sqlite3_free(id);
  return answer != 0;
}

// Whether any device has or asks for the lock of a database; if that cannot be seen, it may.
static int is_locked(const char *journal) {
  char companion[4096];
  int length = (int)strlen(journal) - (int)strlen("-journal");
  if (length <= 0 || snprintf(companion, sizeof companion, "%.*s.openwo", length, journal) >= (int)sizeof companion) return 1;
  char *locks = sqlite3_mprintf("%s/locks", companion);
  if (!locks) return 1;
  DIR *folder = opendir(locks);
  int error = errno;
  sqlite3_free(locks);
  if (!folder) return error != ENOENT && error != ENOTDIR;
  char *text = sqlite3_malloc(MOST_BYTES + 1);
  sqlite3 *db = NULL;
  int found = text == NULL;
  for (struct dirent *entry; !found && (entry = readdir(folder));)
    if (is_device_file(entry->d_name)) found = is_lock(&db, companion, entry->d_name, text);
  closedir(folder);
  sqlite3_close(db);
  sqlite3_free(text);
  return found;
}

__attribute__((visibility("default"))) int sqlite3_openwo_init(
    sqlite3 *db, char **message, const sqlite3_api_routines *api) {
  SQLITE_EXTENSION_INIT2(api);
  (void)db;
  if (sqlite3_libversion_number() < OLDEST_SQLITE) {
    *message = sqlite3_mprintf("openwo needs SQLite 3.38 or later, and this is %s", sqlite3_libversion());
    return SQLITE_ERROR;
  }
  int rc = openwo_register();
  if (rc) return rc;
  openwo_set_gate(is_locked);
  return SQLITE_OK_LOAD_PERMANENTLY;
}
