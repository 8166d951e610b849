#include "CPeers.h"

#include <sqlite3.h>
#include <stdio.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <string.h>

void peers_keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

static void check(int result, sqlite3 *db) {
  if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW) return;
  fprintf(stderr, "sqlite: %s\n", db ? sqlite3_errmsg(db) : sqlite3_errstr(result));
  abort();
}

static void run(sqlite3 *db, const char *sql) { check(sqlite3_exec(db, sql, 0, 0, 0), db); }

static sqlite3 *open_database(const char *path) {
  sqlite3 *db;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  check(sqlite3_open_v2(path, &db, flags, 0), db);
  return db;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0), db);
  return statement;
}

void peers_name(int64_t i, char *name) {
  static const char digits[] = "0123456789abcdef";
  uint64_t bits = (uint64_t)i * 0x9E3779B97F4A7C15u;
  memcpy(name, "exercise", 8);
  for (int place = 8; place < 20; place++, bits >>= 4) name[place] = digits[bits & 15];
}

int peers_note(int64_t i, char *note) {
  int count = 5 + (int)((uint64_t)i * 2654435761u % 32);
  memcpy(note, "three sets of eight, felt heavy, rest two minutes", (size_t)count);
  return count;
}

int64_t peers_insert(const char *path, int64_t rows) {
  sqlite3 *db = open_database(path);
  run(db, "PRAGMA synchronous=OFF");
  run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight REAL NOT NULL, note TEXT NOT NULL)");
  run(db, "BEGIN IMMEDIATE");
  sqlite3_stmt *insert = prepare(db, "INSERT INTO t(id, name, weight, note) VALUES (?, ?, ?, ?)");
  char name[20], note[64];
  for (int64_t i = 1; i <= rows; i++) {
    peers_name(i, name);
    int count = peers_note(i, note);
    sqlite3_bind_int64(insert, 1, i);
    sqlite3_bind_text(insert, 2, name, 20, SQLITE_STATIC);
    sqlite3_bind_double(insert, 3, (double)i * 0.25);
    sqlite3_bind_text(insert, 4, note, count, SQLITE_STATIC);
    check(sqlite3_step(insert), db);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  run(db, "COMMIT");
  sqlite3_close(db);
  return rows;
}

typedef struct {
  int64_t id;
  char *name;
  int name_count;
  double weight;
  char *note;
  int note_count;
} record;

static char *copy_text(sqlite3_stmt *row, int column, int *count) {
  const void *text = sqlite3_column_text(row, column);
  *count = sqlite3_column_bytes(row, column);
  char *copy = malloc((size_t)*count + 1);
  memcpy(copy, text, (size_t)*count + 1);
  return copy;
}

static record copy_record(sqlite3_stmt *row) {
  record found;
  found.id = sqlite3_column_int64(row, 0);
  found.name = copy_text(row, 1, &found.name_count);
  found.weight = sqlite3_column_double(row, 2);
  found.note = copy_text(row, 3, &found.note_count);
  return found;
}

static int64_t sum_up(record *found) {
  int64_t sum = found->id + found->name_count + found->note_count + (int64_t)found->weight;
  free(found->name);
  free(found->note);
  return sum;
}

int64_t peers_fetch_copying(const char *path) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *select = prepare(db, "SELECT id, name, weight, note FROM t");
  size_t room = 16, count = 0;
  record *all = malloc(room * sizeof *all);
  while (sqlite3_step(select) == SQLITE_ROW) {
    if (count == room) all = realloc(all, (room *= 2) * sizeof *all);
    all[count++] = copy_record(select);
  }
  sqlite3_finalize(select);
  sqlite3_close(db);
  int64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += sum_up(all + i);
  free(all);
  return sum;
}

int64_t peers_fetch_borrowing(const char *path) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *select = prepare(db, "SELECT id, name, weight, note FROM t");
  int64_t sum = 0;
  while (sqlite3_step(select) == SQLITE_ROW) {
    sum += sqlite3_column_int64(select, 0);
    const unsigned char *name = sqlite3_column_text(select, 1);
    sum += sqlite3_column_bytes(select, 1) + (name[0] == 0);
    sum += (int64_t)sqlite3_column_double(select, 2);
    const unsigned char *note = sqlite3_column_text(select, 3);
    sum += sqlite3_column_bytes(select, 3) + (note[0] == 0);
  }
  sqlite3_finalize(select);
  sqlite3_close(db);
  return sum;
}

int64_t peers_look_up(const char *path, int64_t count, int64_t rows, int in_transaction) {
  sqlite3 *db = open_database(path);
  if (in_transaction) run(db, "BEGIN");
  sqlite3_stmt *select = prepare(db, "SELECT id, name, weight, note FROM t WHERE id = ?");
  int64_t sum = 0;
  uint64_t state = 88172645463325252u;
  for (int64_t i = 0; i < count; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    sqlite3_bind_int64(select, 1, 1 + (int64_t)(state % (uint64_t)rows));
    check(sqlite3_step(select), db);
    record found = copy_record(select);
    sum += sum_up(&found);
    sqlite3_reset(select);
  }
  sqlite3_finalize(select);
  if (in_transaction) run(db, "COMMIT");
  sqlite3_close(db);
  return sum;
}

int64_t peers_open(const char *path, int64_t count) {
  int64_t sum = 0;
  for (int64_t i = 0; i < count; i++) {
    sqlite3 *db = open_database(path);
    sqlite3_stmt *select = prepare(db, "SELECT count(*) FROM t WHERE id = 1");
    check(sqlite3_step(select), db);
    sum += sqlite3_column_int64(select, 0);
    sqlite3_finalize(select);
    sqlite3_close(db);
  }
  return sum;
}

struct peers_writer {
  sqlite3 *db;
  sqlite3_stmt *begin, *insert, *commit;
};

peers_writer *peers_writer_open(const char *path) {
  peers_writer *writer = malloc(sizeof *writer);
  writer->db = open_database(path);
  run(writer->db, "PRAGMA journal_mode=DELETE; PRAGMA synchronous=EXTRA; PRAGMA cache_spill=OFF");
  run(writer->db, "PRAGMA foreign_keys=ON");
  writer->begin = prepare(writer->db, "BEGIN IMMEDIATE");
  writer->insert = prepare(writer->db, "INSERT INTO commits(name, weight, note) VALUES (?, ?, ?)");
  writer->commit = prepare(writer->db, "COMMIT");
  return writer;
}

static void step(peers_writer *writer, sqlite3_stmt *statement) {
  check(sqlite3_step(statement), writer->db);
  sqlite3_reset(statement);
}

void peers_writer_commit(peers_writer *writer, int64_t i) {
  char name[20], note[64];
  peers_name(i, name);
  int count = peers_note(i, note);
  step(writer, writer->begin);
  sqlite3_bind_text(writer->insert, 1, name, 20, SQLITE_STATIC);
  sqlite3_bind_double(writer->insert, 2, (double)i * 0.25);
  sqlite3_bind_text(writer->insert, 3, note, count, SQLITE_STATIC);
  step(writer, writer->insert);
  step(writer, writer->commit);
}

void peers_writer_close(peers_writer *writer) {
  sqlite3_finalize(writer->begin);
  sqlite3_finalize(writer->insert);
  sqlite3_finalize(writer->commit);
  sqlite3_close(writer->db);
  free(writer);
}
