// SQLite's session extension, where the system's library has it; the yardstick for differences.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <dlfcn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "CPeers.h"

int64_t peers_session_diff(const char *old, const char *new) {
  if (!sqlite3_compileoption_used("ENABLE_SESSION")) return -1;
  sqlite3 *db;
  sqlite3_session *session;
  if (sqlite3_open_v2(new, &db, SQLITE_OPEN_READONLY, 0)) abort();
  char *attach = sqlite3_mprintf("ATTACH %Q AS old", old);
  if (sqlite3_exec(db, attach, 0, 0, 0)) abort();
  sqlite3_free(attach);
  if (sqlite3session_create(db, "main", &session)) abort();
  sqlite3_stmt *tables;
  const char *names = "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'";
  if (sqlite3_prepare_v2(db, names, -1, &tables, 0)) abort();
  while (sqlite3_step(tables) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(tables, 0);
    if (sqlite3session_attach(session, name)) abort();
    if (sqlite3session_diff(session, "old", name, 0)) abort();
  }
  sqlite3_finalize(tables);
  int count = 0;
  void *changes = 0;
  if (sqlite3session_changeset(session, &count, &changes)) abort();
  sqlite3_free(changes);
  sqlite3session_delete(session);
  sqlite3_close(db);
  return count;
}
