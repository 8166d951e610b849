#ifndef OPENWO_SESSION_H
#define OPENWO_SESSION_H

/// Whether the SQLite of this process has the session extension.
int openwo_session_exists(void);

/// How many rows a changeset inserts, updates and deletes.
typedef struct {
  int inserted, updated, deleted;
} openwo_session_counts;

/// Makes a changeset from the tables of `first` to those of `second` and applies it to `copy`, a copy of the first.
///
/// `tables` are names with an empty one behind the last. Returns an SQLite result code.
int openwo_session_transform(
    const char *first, const char *second, const char *copy, const char *const *tables,
    openwo_session_counts *changes);

#endif
