#define _GNU_SOURCE
#include "OpenWOCFiles.h"

#ifdef __linux__
#include <sys/vfs.h>
#else
#include <TargetConditionals.h>
#include <errno.h>
#include <sys/mount.h>
#include <sys/param.h>
#include <sys/sysctl.h>
#include <uuid/uuid.h>
#endif

#ifdef __linux__

/// The magic numbers of statfs(2) whose files may change without this kernel seeing it.
static const char *remote_name(uint32_t magic) {
  switch (magic) {
  case 0x00006969: return "nfs";
  case 0x0000517B: return "smbfs";
  case 0xFF534D42: return "cifs";
  case 0xFE534D42: return "smb3";
  case 0x01021997: return "9p";
  case 0x00C36400: return "ceph";
  case 0x5346414F: return "afs";
  case 0x6B414653: return "kafs";
  case 0x73757245: return "coda";
  case 0x7461636F: return "ocfs2";
  case 0x01161970: return "gfs2";
  case 0x786F4256: return "vboxsf";
  case 0xBACBACBC: return "vmhgfs";
  case 0x013661FC: return "virtiofs";
  case 0x65735546: return "fuse";
  default: return "";
  }
}

int openwo_file_system(const char *path, char *name, size_t size, int *is_remote) {
  struct statfs status;
  if (statfs(path, &status) != 0) return -1;
  snprintf(name, size, "%s", remote_name((uint32_t)status.f_type));
  *is_remote = name[0] != 0;
  return 0;
}

int64_t openwo_process_start(pid_t pid) {
  (void)pid;
  return 0;
}

int openwo_boot_id(char *id, size_t size) {
  if (size > 0) id[0] = 0;
  return 0;
}

int openwo_machine_id(char *id, size_t size) { return openwo_boot_id(id, size); }

#else

int openwo_file_system(const char *path, char *name, size_t size, int *is_remote) {
  struct statfs status;
  if (statfs(path, &status) != 0) return -1;
  snprintf(name, size, "%s", status.f_fstypename);
  *is_remote = (status.f_flags & MNT_LOCAL) == 0;
  return 0;
}

int64_t openwo_process_start(pid_t pid) {
  int query[4] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, pid};
  struct kinfo_proc process;
  size_t length = sizeof process;
  if (sysctl(query, 4, &process, &length, NULL, 0) != 0 || length == 0) return 0;
  if (process.kp_proc.p_stat == 5 /* SZOMB */) return 0;
  struct timeval start = process.kp_proc.p_starttime;
  return (int64_t)start.tv_sec * 1000000 + start.tv_usec;
}

int openwo_boot_id(char *id, size_t size) {
  return sysctlbyname("kern.bootsessionuuid", id, &size, NULL, 0);
}

#if TARGET_OS_OSX

int openwo_machine_id(char *id, size_t size) {
  uuid_t uuid;
  struct timespec wait = {1, 0};
  if (size < 37 || gethostuuid(uuid, &wait) != 0) return -1;
  uuid_unparse_lower(uuid, id);
  return 0;
}

#else

// iOS tells no app which device it is; an app's state folder cannot be copied to another one by hand.
int openwo_machine_id(char *id, size_t size) {
  (void)id, (void)size;
  errno = ENOTSUP;
  return -1;
}

#endif

#endif
