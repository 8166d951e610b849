// Which parts of the main file were written. A note too many costs a little work later; a note missing
// would lose data. So whenever the truth is not certain, more is noted.
#include <string.h>

#include "guard.h"

static int grow(openwo_changes *changes, int64_t words) {
  int64_t count = changes->count ? changes->count : 64;
  while (count < words) count *= 2;
  uint64_t *larger = sqlite3_realloc64(changes->words, (sqlite3_uint64)count * sizeof *larger);
  if (!larger) return 0;
  memset(larger + changes->count, 0, (size_t)(count - changes->count) * sizeof *larger);
  changes->words = larger;
  changes->count = count;
  return 1;
}

static void note(openwo_changes *changes, int64_t from, int64_t to) {
  if (changes->unknown || from >= to) return;
  int64_t first = from / OPENWO_CHANGE_UNIT, last = (to - 1) / OPENWO_CHANGE_UNIT;
  if (last / 64 >= changes->count && !grow(changes, last / 64 + 1)) {
    changes->unknown = 1;
    return;
  }
  for (int64_t word = first / 64; word <= last / 64; word++) {
    uint64_t bits = ~(uint64_t)0;
    if (word == first / 64) bits &= ~(uint64_t)0 << (first % 64);
    if (word == last / 64) bits &= ~(uint64_t)0 >> (63 - last % 64);
    changes->words[word] |= bits;
  }
}

// The size before this write; what lies between it and a write further out comes into being as zeros.
static int know_size(guard_file *file) {
  if (file->known_size >= 0) return 1;
  sqlite3_file *base = guard_base(file);
  sqlite3_int64 size;
  if (base->pMethods->xFileSize(base, &size)) {
    file->changes.unknown = 1;
    return 0;
  }
  file->known_size = size;
  return 1;
}

void guard_note_write(guard_file *file, int64_t offset, int64_t count) {
  if (!know_size(file)) return;
  note(&file->changes, offset < file->known_size ? offset : file->known_size, offset + count);
  if (offset + count > file->known_size) file->known_size = offset + count;
}

void guard_note_truncate(guard_file *file, int64_t size) {
  if (!know_size(file)) return;
  note(&file->changes, size < file->known_size ? size : file->known_size,
       size < file->known_size ? file->known_size : size);
  file->known_size = size;
}

int openwo_has_changes(sqlite3_file *shown) {
  const openwo_changes *changes = &((guard_file *)shown)->changes;
  return changes->unknown || changes->count > 0;
}

openwo_changes openwo_take_changes(sqlite3_file *shown) {
  guard_file *file = (guard_file *)shown;
  openwo_changes taken = file->changes;
  file->changes = (openwo_changes){0};
  return taken;
}
