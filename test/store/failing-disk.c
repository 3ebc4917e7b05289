/* A disk that fails: preloaded into a process, the n-th write, sync or truncation of a file whose name holds
 * "/audit-" answers EIO, once. FAIL_AT=n in the environment, FAIL_COUNT=m for m failures in a row. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int calls;

static int fails(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n <= 0) return 0;
  path[n] = 0;
  if (!strstr(path, "/audit-")) return 0;
  const char *at = getenv("FAIL_AT"), *count = getenv("FAIL_COUNT");
  int first = at ? atoi(at) : 0;
  int call = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  if (first == 0 || call < first || call >= first + (count ? atoi(count) : 1)) return 0;
  errno = EIO;
  return 1;
}

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
  if (fails(fd)) return -1;
  return REAL("pwrite64", ssize_t (*)(int, const void *, size_t, off64_t))(fd, bytes, size, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  if (fails(fd)) return -1;
  return REAL("pwrite", ssize_t (*)(int, const void *, size_t, off_t))(fd, bytes, size, offset);
}

ssize_t write(int fd, const void *bytes, size_t size) {
  if (fails(fd)) return -1;
  return REAL("write", ssize_t (*)(int, const void *, size_t))(fd, bytes, size);
}

int fsync(int fd) { return fails(fd) ? -1 : REAL("fsync", int (*)(int))(fd); }

int fdatasync(int fd) { return fails(fd) ? -1 : REAL("fdatasync", int (*)(int))(fd); }

int ftruncate64(int fd, off64_t size) {
  return fails(fd) ? -1 : REAL("ftruncate64", int (*)(int, off64_t))(fd, size);
}

int ftruncate(int fd, off_t size) { return fails(fd) ? -1 : REAL("ftruncate", int (*)(int, off_t))(fd, size); }
