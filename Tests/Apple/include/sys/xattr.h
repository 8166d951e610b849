// What openwo uses of Darwin's <sys/xattr.h>, which the headers that zig brings leave out; see xattr(2) of macOS.
#pragma once
#include <sys/types.h>

ssize_t flistxattr(int fd, char *names, size_t size, int options);
ssize_t fgetxattr(int fd, const char *name, void *value, size_t size, u_int32_t position, int options);
int fsetxattr(int fd, const char *name, const void *value, size_t size, u_int32_t position, int options);
