// What ThreadSanitizer cannot see of Swift's Mutex: if two threads contend for one, they wait
// inside libswiftSynchronization, which is not built with it. These functions interpose the two
// functions of that library, tell ThreadSanitizer of the hand-over, and call them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

void __tsan_acquire(void *address);
void __tsan_release(void *address);

static void *original(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

SWIFT void lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF void *handle) {
  ((SWIFT void (*)(uint32_t, SELF void *))original(LOCK))(thread, handle);
  __tsan_acquire(handle);
}

SWIFT void unlock_slow(SELF void *handle) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF void *handle) {
  __tsan_release(handle);
  ((SWIFT void (*)(SELF void *))original(UNLOCK))(handle);
}
