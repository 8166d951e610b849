#include "session.h"

#include <dlfcn.h>
#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

// The extension is looked up when it is used: not every system's SQLite has it.
typedef int (*create_function)(sqlite3 *, const char *, void **);
typedef int (*diff_function)(void *, const char *, const char *, char **);
typedef int (*attach_function)(void *, const char *);
typedef int (*changeset_function)(void *, int *, void **);
typedef void (*delete_function)(void *);
typedef int (*apply_function)(
    sqlite3 *, int, void *, int (*)(void *, const char *), int (*)(void *, int, void *), void *);
typedef int (*start_function)(void **, int, void *);
typedef int (*iterate_function)(void *);
typedef int (*operation_function)(void *, const char **, int *, int *, int *);

static void *find(const char *name) { return dlsym(RTLD_DEFAULT, name); }

int openwo_session_exists(void) { return find("sqlite3session_create") != NULL; }

// A conflict with a change is an error: the copy is the first database.
static int conflict(void *context, int kind, void *iterator) {
  (void)context, (void)kind, (void)iterator;
  return 2;  // SQLITE_CHANGESET_ABORT
}

static int count(int size, void *changeset, openwo_session_counts *changes) {
  void *iterator = NULL;
  int result = ((start_function)find("sqlite3changeset_start"))(&iterator, size, changeset);
  if (result != SQLITE_OK) return result;
  while (((iterate_function)find("sqlite3changeset_next"))(iterator) == SQLITE_ROW) {
    const char *table;
    int columns, operation, indirect;
    result = ((operation_function)find("sqlite3changeset_op"))(
        iterator, &table, &columns, &operation, &indirect);
    if (result != SQLITE_OK) break;
    if (operation == SQLITE_INSERT) changes->inserted++;
    if (operation == SQLITE_UPDATE) changes->updated++;
    if (operation == SQLITE_DELETE) changes->deleted++;
  }
  int end = ((iterate_function)find("sqlite3changeset_finalize"))(iterator);
  return result == SQLITE_OK ? end : result;
}

static int make(
    sqlite3 *database, const char *first, const char *const *tables, int *size, void **changeset) {
  char *sql = sqlite3_mprintf("ATTACH %Q AS first", first);
  int result = sqlite3_exec(database, sql, NULL, NULL, NULL);
  sqlite3_free(sql);
  if (result != SQLITE_OK) return result;
  void *session = NULL;
  result = ((create_function)find("sqlite3session_create"))(database, "main", &session);
  for (; result == SQLITE_OK && (*tables)[0] != '\0'; tables++) {
    result = ((attach_function)find("sqlite3session_attach"))(session, *tables);
    if (result != SQLITE_OK) break;
    result = ((diff_function)find("sqlite3session_diff"))(session, "first", *tables, NULL);
  }
  if (result == SQLITE_OK) {
    result = ((changeset_function)find("sqlite3session_changeset"))(session, size, changeset);
  }
  if (session != NULL) ((delete_function)find("sqlite3session_delete"))(session);
  return result;
}

int openwo_session_transform(
    const char *first, const char *second, const char *copy, const char *const *tables,
    openwo_session_counts *changes) {
  sqlite3 *source = NULL, *target = NULL;
  void *changeset = NULL;
  int size = 0;
  memset(changes, 0, sizeof *changes);
  int result = sqlite3_open(second, &source);
  if (result == SQLITE_OK) result = make(source, first, tables, &size, &changeset);
  if (result == SQLITE_OK) result = count(size, changeset, changes);
  if (result == SQLITE_OK) result = sqlite3_open(copy, &target);
  if (result == SQLITE_OK) {
    result = ((apply_function)find("sqlite3changeset_apply"))(
        target, size, changeset, NULL, conflict, NULL);
  }
  sqlite3_free(changeset);
  sqlite3_close(source);
  sqlite3_close(target);
  return result;
}
