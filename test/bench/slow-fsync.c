/* Loaded into the server with LD_PRELOAD: a disk whose every fsync takes SLOW_FSYNC_MS milliseconds longer. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void delay(void) {
  const char *text = getenv("SLOW_FSYNC_MS");
  long milliseconds = text ? atol(text) : 0;
  struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  while (nanosleep(&left, &left) != 0) continue;
}

int fsync(int file) {
  delay();
  return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  delay();
  return (int)syscall(SYS_fdatasync, file);
}
