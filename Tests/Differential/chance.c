// Makes what is random in a program follow from CHANCE_SEED, so that a case is the same when it is played again. Loaded with LD_PRELOAD.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

static uint64_t next(void) {
  static uint64_t state;
  if (!state) {
    const char *text = getenv("CHANCE_SEED");
    state = 1469598103934665603u;
    while (text && *text) state = (state ^ (unsigned char)*text++) * 1099511628211u;
  }
  uint64_t mixed = (state += 0x9E3779B97F4A7C15u);
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  (void)flags;
  for (size_t i = 0; i < count; i++) ((unsigned char *)bytes)[i] = (unsigned char)next();
  return (ssize_t)count;
}

int getentropy(void *bytes, size_t count) {
  getrandom(bytes, count, 0);
  return 0;
}

void arc4random_buf(void *bytes, size_t count) { getrandom(bytes, count, 0); }

uint32_t arc4random(void) { return (uint32_t)next(); }
