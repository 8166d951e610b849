// The floors: what C on the same SQLite does, with nothing between. Each aborts when SQLite fails.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Freed memory stays with the process; otherwise what one side leaves would decide which side has
// to ask the kernel for memory.
void peers_keep_memory(void);

// All fetches, inserts and look-ups are on `t(id INTEGER PRIMARY KEY, name TEXT, weight REAL, note TEXT)`.
// The sums that come back must be those of the other sides.

// What is inserted as row `i`: a name of 20 bytes, and how many bytes of note.
void peers_name(int64_t i, char *name);
int peers_note(int64_t i, char *note);

int64_t peers_insert(const char *path, int64_t rows);
int64_t peers_fetch_copying(const char *path);
int64_t peers_fetch_borrowing(const char *path);
// Within one transaction, or each in its own.
int64_t peers_look_up(const char *path, int64_t count, int64_t rows, int in_transaction);
int64_t peers_open(const char *path, int64_t count);

// Commits of one row each into `commits`, with the journal, the sync and the cache that a store has.
typedef struct peers_writer peers_writer;
peers_writer *peers_writer_open(const char *path);
void peers_writer_commit(peers_writer *writer, int64_t i);
void peers_writer_close(peers_writer *writer);

// sqlite3session_diff of every table, and the changeset of it; how many bytes that has, -1 without the extension.
int64_t peers_session_diff(const char *old, const char *new);
// Both files read and compared; how many blocks of 64 KiB differ.
int64_t peers_compare_files(const char *one, const char *other);
// All names of a folder, each looked at; how many.
int64_t peers_list_folder(const char *path);

// What a program took, and how often it went to sleep.
typedef struct {
  double wall, cpu;
  int64_t memory, switches;
  int status;
} peers_run_result;
// A program, run by the launcher and waited for; its output goes to the descriptor.
peers_run_result peers_run(const char *launcher, char *const *words, const char *folder, int output);

// A program that runs until it is ended, or until the thread that started it is gone, however that comes about. Its output goes to
// the descriptor; -1 when it could not be started.
int peers_start(char *const *words, int output);
int peers_is_running(int process);
// Kills it and waits for it.
void peers_end(int process);
// A port of 127.0.0.1 that nobody has just now; -1 without one.
int peers_free_port(void);

// Lines at once, also into a file.
void peers_buffer_lines(void);
