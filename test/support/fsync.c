/*
 * Loaded into a server with LD_PRELOAD. While a file exists at the path FSYNC_FAILS, every fsync of a write-ahead log fails,
 * as that of a broken disk does. FSYNC_LOG names a file to which the path of every file that is synced is added.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int sync_file(long call, int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) length = 0;
  path[length] = 0;
  const char *fails = getenv("FSYNC_FAILS");
  if (fails && length > 4 && strcmp(path + length - 4, "-wal") == 0 && access(fails, F_OK) == 0) {
    errno = EIO;
    return -1;
  }
  int result = (int)syscall(call, file);
  const char *log = getenv("FSYNC_LOG");
  if (log && result == 0) {
    int to = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    path[length] = '\n';
    if (to >= 0 && write(to, path, (size_t)length + 1) >= 0) close(to);
  }
  return result;
}

int fsync(int file) { return sync_file(SYS_fsync, file); }

int fdatasync(int file) { return sync_file(SYS_fdatasync, file); }
