/*
 * A disk that fails on command, between a program and its libc (LD_PRELOAD). It tracks the content of the database file
 * and its write-ahead log only. The test controls it through a small shared file, DISK_CONTROL, mapped as `struct control`.
 *
 * For a power cut it saves the earlier content of each unsynced 512-byte sector. A sync discards it; the cut restores a
 * random half of the sectors and kills the process. So writes reach the disk torn and in any order, as they may
 * (Pillai et al., "All File Systems Are Not Created Equal", OSDI 2014).
 *
 * A new name of a file or a directory is gone after a cut unless its directory was synced (fsync(2)). Of the calls of
 * libc, mkdir, rename and SQLite's open are tracked.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTOR 512
#define FILES 2
#define BUCKETS 65536
#define NAMES 64

enum syncing { HONEST, LYING, NORMAL };

struct control {
  int32_t failing_syncs; /* so many syncs from now on answer EIO */
  int32_t full;          /* writes that make a file longer answer ENOSPC */
  int32_t syncs;         /* the number of syncs so far */
  int32_t refused;       /* the number of calls that failed so far */
  int32_t cut_after;     /* so many writes and syncs from now on the power fails; 0: never */
  int32_t syncing;       /* whether syncs are true, lies, or as with synchronous=NORMAL */
  int32_t seed;
  int32_t keep;          /* whether to save what a cut needs */
};

struct sector { off_t number; struct sector *next; char before[SECTOR]; };
struct file { dev_t dev; ino_t ino; int fd; off_t durable_size; struct sector *sectors[BUCKETS]; };

static volatile struct control *control;
static struct file files[FILES]; /* the database and its log */
static char names[NAMES][PATH_MAX]; /* given since their directory was last synced; empty if unused */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_sync)(int);
static int (*real_truncate)(int, off_t);
static int (*real_mkdir)(const char *, mode_t);
static int (*real_rename)(const char *, const char *);
static int (*real_open)(const char *, int, ...);

__attribute__((constructor)) static void start(void) {
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_sync = dlsym(RTLD_NEXT, "fdatasync");
  real_truncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_mkdir = dlsym(RTLD_NEXT, "mkdir");
  real_rename = dlsym(RTLD_NEXT, "rename");
  real_open = dlsym(RTLD_NEXT, "open64");
  int fd = open(getenv("DISK_CONTROL"), O_RDWR);
  control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
}

/* Which of the two files `fd` is, or NULL. */
static struct file *minded(int fd) {
  char link[64], path[4096];
  char *end = link + sizeof link - 1;
  *end = 0;
  for (int rest = fd; end == link + sizeof link - 1 || rest > 0; rest /= 10) *--end = '0' + rest % 10;
  end -= strlen("/proc/self/fd/");
  memcpy(end, "/proc/self/fd/", strlen("/proc/self/fd/"));
  ssize_t length = readlink(end, path, sizeof path - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  char *name = strrchr(path, '/');
  int i = name && !strcmp(name, "/wharf.db") ? 0 : name && !strcmp(name, "/wharf.db-wal") ? 1 : -1;
  if (i < 0) return NULL;
  struct file *file = &files[i];
  struct stat stat;
  fstat(fd, &stat);
  if (file->ino != stat.st_ino) {
    file->ino = stat.st_ino;
    file->durable_size = stat.st_size;
  }
  file->fd = fd;
  return file;
}

/* What was written to `file` so far is on the disk now. */
static void settle(struct file *file) {
  struct stat stat;
  if (file->ino == 0) return;
  fstat(file->fd, &stat);
  file->durable_size = stat.st_size;
  for (int i = 0; i < BUCKETS; i++) {
    for (struct sector *sector = file->sectors[i], *next; sector; sector = next) {
      next = sector->next;
      free(sector);
    }
    file->sectors[i] = NULL;
  }
}

/* Remembers what the sectors from `from` to `to` (bytes) hold, where no earlier content is remembered. */
static void remember(struct file *file, off_t from, off_t to) {
  for (off_t number = from / SECTOR; number * SECTOR < to; number++) {
    struct sector **bucket = &file->sectors[number % BUCKETS], *sector = *bucket;
    while (sector && sector->number != number) sector = sector->next;
    if (sector) continue;
    sector = calloc(1, sizeof *sector);
    sector->number = number;
    sector->next = *bucket;
    pread(file->fd, sector->before, SECTOR, number * SECTOR);
    *bucket = sector;
  }
}

/* Keeps that a name was given to `path`, which exists. */
static void name_given(const char *path) {
  char full[PATH_MAX];
  if (!realpath(path, full)) return;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < NAMES; i++) {
    if (names[i][0]) continue;
    strcpy(names[i], full);
    break;
  }
  pthread_mutex_unlock(&mutex);
}

/* The names in the directory `fd`, if it is one, are on the disk now. */
static void settle_names(int fd) {
  char link[64], path[PATH_MAX];
  struct stat stat;
  if (fstat(fd, &stat) != 0 || !S_ISDIR(stat.st_mode)) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return;
  path[length] = 0;
  for (int i = 0; i < NAMES; i++) {
    char *last = strrchr(names[i], '/');
    if (last && last - names[i] == length && strncmp(names[i], path, length) == 0) names[i][0] = 0;
  }
}

/* What a lost name led to is moved out of sight. */
static void lose_names(void) {
  char lost[PATH_MAX + 8];
  for (int i = NAMES - 1; i >= 0; i--) {
    if (!names[i][0]) continue;
    snprintf(lost, sizeof lost, "%s.lost", names[i]);
    real_rename(names[i], lost);
  }
}

static void cut(void) {
  unsigned seed = control->seed;
  for (int f = 0; f < FILES; f++) {
    if (files[f].ino == 0) continue;
    for (int i = 0; i < BUCKETS; i++) {
      for (struct sector *sector = files[f].sectors[i]; sector; sector = sector->next) {
        if (rand_r(&seed) % 2) real_pwrite(files[f].fd, sector->before, SECTOR, sector->number * SECTOR);
      }
    }
    struct stat stat;
    fstat(files[f].fd, &stat);
    if (rand_r(&seed) % 2 && stat.st_size > files[f].durable_size) {
      real_truncate(files[f].fd, files[f].durable_size);
    }
  }
  lose_names();
  kill(getpid(), SIGKILL);
  pause();
}

/* One write or sync more; the power may fail here. */
static void count_down(void) {
  if (control->cut_after > 0 && --control->cut_after == 0) cut();
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
  pthread_mutex_lock(&mutex);
  struct file *file = minded(fd);
  struct stat stat;
  ssize_t written = -1;
  if (file && control->full && (fstat(fd, &stat), offset + (off_t)count > stat.st_size)) {
    control->refused++;
    pthread_mutex_unlock(&mutex);
    errno = ENOSPC;
    return -1;
  }
  if (file && control->keep) {
    /* With synchronous=NORMAL the log is synced only before its pages are moved into the database. */
    if (control->syncing == NORMAL && file == &files[0]) settle(&files[1]);
    remember(file, offset, offset + count);
    count_down();
  }
  written = real_pwrite(fd, bytes, count, offset);
  pthread_mutex_unlock(&mutex);
  return written;
}

static int sync_file(int fd) {
  pthread_mutex_lock(&mutex);
  if (control->keep && control->syncing != LYING) settle_names(fd);
  struct file *file = minded(fd);
  int fails = 0;
  if (file) {
    control->syncs++;
    if (control->keep) {
      count_down();
      int is_lie = control->syncing == LYING || (control->syncing == NORMAL && file == &files[1]);
      if (!is_lie) settle(file);
    }
    if ((fails = control->failing_syncs > 0)) control->failing_syncs--, control->refused++;
  }
  pthread_mutex_unlock(&mutex);
  if (!fails) return real_sync(fd);
  errno = EIO;
  return -1;
}

int fdatasync(int fd) { return sync_file(fd); }
int fsync(int fd) { return sync_file(fd); }

int ftruncate64(int fd, off_t size) {
  pthread_mutex_lock(&mutex);
  struct file *file = minded(fd);
  struct stat stat;
  if (file && control->keep && fstat(fd, &stat) == 0 && size < stat.st_size) remember(file, size, stat.st_size);
  int result = real_truncate(fd, size);
  pthread_mutex_unlock(&mutex);
  return result;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int mkdir(const char *path, mode_t mode) {
  int result = real_mkdir(path, mode);
  if (result == 0 && control->keep) name_given(path);
  return result;
}

int rename(const char *from, const char *to) {
  int result = real_rename(from, to);
  if (result == 0 && control->keep) name_given(to);
  return result;
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  int is_new = (flags & O_CREAT) && control && control->keep && access(path, F_OK) != 0;
  int fd = real_open ? real_open(path, flags, mode) : openat(AT_FDCWD, path, flags, mode);
  if (fd >= 0 && is_new) name_given(path);
  return fd;
}
