/* Simulates a slower disk with LD_PRELOAD: adds SLOW_FSYNC_US microseconds (1000) to every fsync and fdatasync. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int slowed(const char *call, int file) {
  const char *us = getenv("SLOW_FSYNC_US");
  long wait_us = us ? atol(us) : 1000;
  struct timespec pause = {wait_us / 1000000, wait_us % 1000000 * 1000};
  nanosleep(&pause, NULL);
  return ((int (*)(int))dlsym(RTLD_NEXT, call))(file);
}

int fsync(int file) { return slowed("fsync", file); }
int fdatasync(int file) { return slowed("fdatasync", file); }
