/* Fan-out: opens STREAMS streams of server-sent events, then sends POSTS posts, one after the other.
 *   fan PORT STREAMS POSTS < requests      (the request of a stream, NUL, the request of a post)
 * Prints as JSON, for each post, the milliseconds from its sending until every stream had its event. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const char mark[] = "event: post\n";
enum { mark_length = sizeof mark - 1, ready_max = 256, timeout_ms = 20000, pause_us = 200000 };

/* A stream: its socket, how much of the mark it has read, and whether its answer has begun. */
typedef struct {
  int socket, matched, has_begun;
} Stream;

static int count;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static int dial(int port, const char *request) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int on = 1, s = socket(AF_INET, SOCK_STREAM, 0);
  if (s < 0 || connect(s, (struct sockaddr *)&to, sizeof to)) fail("connect");
  setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ssize_t length = strlen(request);
  if (write(s, request, length) != length) fail("write");
  return s;
}

/* Reads what has come. Returns how many events were completed by it. */
static int take(Stream *stream) {
  static char bytes[1 << 16];
  ssize_t length = read(stream->socket, bytes, sizeof bytes);
  if (length <= 0) fail("a stream ended");
  if (!stream->has_begun && strncmp(bytes, "HTTP/1.1 200", 12)) {
    fprintf(stderr, "%.*s\n", (int)length, bytes);
    exit(1);
  }
  stream->has_begun = 1;
  int events = 0;
  for (ssize_t i = 0; i < length; i++) {
    if (bytes[i] == mark[stream->matched]) stream->matched++;
    else stream->matched = bytes[i] == mark[0];
    if (stream->matched < mark_length) continue;
    stream->matched = 0;
    events++;
  }
  return events;
}

/* Reads from the streams until all have begun and `events` events have come. */
static void takeAll(int poll, Stream *streams, int events) {
  static int begun = 0;
  struct epoll_event ready[ready_max];
  for (double end = now_ms() + timeout_ms; events > 0 || begun < count;) {
    int n = epoll_wait(poll, ready, ready_max, 1000);
    if (now_ms() > end) {
      fprintf(stderr, "%d streams have not begun, %d events are missing\n", count - begun, events);
      exit(1);
    }
    for (int i = 0; i < n; i++) {
      Stream *stream = &streams[ready[i].data.u32];
      begun += !stream->has_begun;
      events -= take(stream);
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int port = atoi(argv[1]), posts = atoi(argv[3]);
  count = atoi(argv[2]);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  static char input[1 << 16];
  if (fread(input, 1, sizeof input - 1, stdin) == 0) fail("stdin");
  const char *open = input, *post = input + strlen(input) + 1;

  int poll = epoll_create1(0);
  Stream *streams = calloc(count, sizeof *streams);
  for (int i = 0; i < count; i++) {
    streams[i].socket = dial(port, open);
    struct epoll_event event = {EPOLLIN, {.u32 = i}};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, streams[i].socket, &event)) fail("epoll_ctl");
    if (i % 50 == 49) usleep(2000);
  }
  takeAll(poll, streams, 0);
  for (int i = 0; i < posts; i++) {
    usleep(pause_us);
    double from = now_ms();
    int poster = dial(port, post);
    takeAll(poll, streams, count);
    printf("%s%.3f", i ? "," : "[", now_ms() - from);
    static char answer[1 << 14];
    if (read(poster, answer, sizeof answer) < 12 || strncmp(answer, "HTTP/1.1 2", 10)) {
      fprintf(stderr, "%.200s\n", answer);
      return 1;
    }
    close(poster);
  }
  puts("]");
}
