/// Calls that Swift cannot make itself: variadic functions, function-like macros, and calls that
/// the platforms spell differently.
///
/// Each function makes one system call and returns what that call does: −1 and `errno` on failure.
#ifndef OPENWO_C_FILES_H
#define OPENWO_C_FILES_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/select.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

/// The parts of `struct stat` that openwo looks at, times in nanoseconds since 1970.
struct openwo_status {
  uint64_t device, inode, links;
  int64_t size, mtime, ctime, blocks;
  uint32_t mode, uid, gid;
};

int openwo_errno(void);
int openwo_open(const char *path, int flags, mode_t mode);
/// The same for a name in an open folder.
int openwo_open_in(int folder, const char *name, int flags, mode_t mode);
int openwo_status_of(const char *path, int follow, struct openwo_status *out);
/// The same for a name in an open folder; a link is not followed.
int openwo_status_in(int folder, const char *name, struct openwo_status *out);
int openwo_status_of_descriptor(int descriptor, struct openwo_status *out);
/// The next name of a folder, or NULL at the end (`errno` 0) and on failure.
const char *openwo_next_name(DIR *folder);
/// Closes the folder and leaves `errno` as the reading left it.
void openwo_close_folder(DIR *folder);

/// Swaps two names in one step: `RENAME_EXCHANGE`, `RENAME_SWAP`.
int openwo_exchange(const char *one, const char *other);
/// Renames unless the new name is taken (EEXIST): `RENAME_NOREPLACE`, `RENAME_EXCL`.
int openwo_rename_new(const char *from, const char *to);
/// The same for two names in an open folder.
int openwo_rename_new_in(int folder, const char *from, const char *to);
/// Syncs the file to the medium, past the drive's cache if that needs another call.
int openwo_sync(int descriptor);
int openwo_flock(int descriptor, int operation);
/// Reserves room for `bytes` bytes from the start of the file.
int openwo_allocate(int descriptor, int64_t bytes);
/// Makes `to` share the blocks of `from`: `FICLONE`; elsewhere ENOTSUP.
int openwo_clone(int from, int to);
/// Sets the modification time, the link itself and not what it points to; access time is kept.
int openwo_set_mtime(const char *path, int64_t nanoseconds);
/// Bytes an unprivileged user can still write, or −1.
int64_t openwo_free_space(const char *path);

/// The errno of an attribute that is not there.
int openwo_no_attribute(void);
ssize_t openwo_list_attributes(int descriptor, char *names, size_t size);
ssize_t openwo_get_attribute(int descriptor, const char *name, void *value, size_t size);
int openwo_set_attribute(int descriptor, const char *name, const void *value, size_t size);

/// The name of the path's file system and whether its files can change unseen by this kernel.
///
/// On Linux only a file system of that kind has a name here.
int openwo_file_system(const char *path, char *name, size_t size, int *is_remote);

/// When the process started, in a unit of the platform's own; 0 when it cannot be seen.
int64_t openwo_process_start(pid_t pid);
/// An id that changes with every boot of this machine, from the kernel; "" where that is a file.
int openwo_boot_id(char *id, size_t size);
/// An id of this machine, from the kernel; "" where that is a file.
int openwo_machine_id(char *id, size_t size);

/// The process's name where the kernel gives it by a call; elsewhere −1.
int openwo_process_name(pid_t pid, char *name, size_t size);
/// Up to `capacity` processes that have the file open; −1 where the kernel cannot tell.
int openwo_openers(const char *path, pid_t *pids, int capacity);

/// Both ends of a pipe, closed in children, never waiting.
int openwo_pipe(int ends[2]);
char **openwo_environment(void);
/// Ignores the signal, or lets it do what it does by default; hands back what was done before.
int openwo_set_signal(int signal, int ignored, struct sigaction *before);
int openwo_is_ignored(const struct sigaction *action);
/// Starts a program found by PATH with these signals at their defaults and none blocked, although
/// pool threads block all.
int openwo_spawn(pid_t *pid, char *const arguments[], char *const environment[],
                 const sigset_t *defaults);
/// The exit status of a `waitpid` status, or −1 if a signal ended it.
int openwo_exit_status(int status);
int openwo_end_signal(int status);
/// Waits for the end of a child; a caught signal is passed on to it meanwhile.
int openwo_wait_child(pid_t pid, int *status);

/// From now on SIGHUP, SIGINT, SIGQUIT and SIGTERM are remembered and do not end the process;
/// those that are ignored stay so.
void openwo_catch_end_signals(void);
/// The first signal that was caught, or 0.
int openwo_caught_signal(void);
/// Catches them as well, and holds them back in this thread and those that it starts from now on.
void openwo_hold_end_signals(void);
/// Sleeps until one is caught and returns it, or 0 after `openwo_end_wait`.
int openwo_wait_end_signal(void);
/// Ends that sleep, from any thread.
void openwo_end_wait(void);
/// The running thread.
uintptr_t openwo_thread(void);
/// Opens what fails at use in place of the standard streams that are missing.
void openwo_keep_standard_streams(void);

/// The columns of the terminal, or −1.
int openwo_terminal_width(int descriptor);
/// The lines of the terminal, or −1.
int openwo_terminal_height(int descriptor);
/// Runs a shell command with these bytes as its input and waits for its end: its `waitpid` status, or −1.
int openwo_run_shell(const char *command, const void *bytes, size_t size);
/// How far local time is ahead of UTC at a moment, in seconds.
int64_t openwo_seconds_east(int64_t seconds);

#endif
