/*
 * The load generator: sends HTTP requests over keep-alive connections and measures the response times. In C, so that it
 * takes a fraction of the CPU time that it measures.
 *
 *   load PORT CONNECTIONS RATE WARM_SECONDS SECONDS [FROM_ADDRESS] < requests
 *
 * Sends the NUL-terminated requests in turn, repeatedly. With RATE 0, every connection sends the next request as soon as
 * it has an answer. Otherwise RATE requests per second are due at fixed times, and the time of a request counts from when
 * it was due. The first WARM_SECONDS are not counted. Prints one line of JSON; times are in microseconds.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { answer_bytes_max = 1 << 20, requests_bytes_max = 1 << 24, connections_max = 1024 };

typedef struct {
  int socket;
  uint64_t due; /* when the current request was due, in ns */
  size_t have;  /* bytes of the answer so far */
  size_t need;  /* bytes of the whole answer, 0 until its head has arrived */
  char *answer;
} Connection;

static char requests[requests_bytes_max];
static size_t requests_bytes, next_request;
static Connection connections[connections_max];
/* The idle connections, a ring: they are used in turn, so that the server closes none for being idle. */
static Connection *idle[connections_max];
static int idle_first, idle_count;
static uint32_t *times_ns;
static size_t times_count, times_room, failures;
static uint64_t counted_from;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static Connection *take_idle(void) {
  Connection *c = idle[idle_first];
  idle_first = (idle_first + 1) % connections_max;
  idle_count--;
  return c;
}

static void add_idle(Connection *c) {
  idle[(idle_first + idle_count++) % connections_max] = c;
}

static void send_request(Connection *c, uint64_t due) {
  const char *request = requests + next_request;
  ssize_t bytes = strlen(request);
  next_request += bytes + 1;
  if (next_request >= requests_bytes) next_request = 0;
  c->due = due;
  c->have = c->need = 0;
  if (write(c->socket, request, bytes) != bytes) fail("write");
}

static void count(uint64_t due, int is_good) {
  uint64_t took = now() - due;
  if (due < counted_from) return;
  if (!is_good) failures++;
  if (times_count == times_room) {
    times_room = times_room ? times_room * 2 : 1 << 20;
    times_ns = realloc(times_ns, times_room * sizeof *times_ns);
  }
  times_ns[times_count++] = took > UINT32_MAX ? UINT32_MAX : took;
}

/* The content length in the head of an answer; 0 if absent. Compares only the start of each line: strcasestr would
   compare every character. */
static size_t content_length(const char *head) {
  for (const char *line = head; (line = strchr(line, '\n'));)
    if (strncasecmp(++line, "content-length:", 15) == 0) return strtoul(line + 15, NULL, 10);
  return 0;
}

/* Reads the bytes that have arrived; returns whether the answer is complete. */
static int answered(Connection *c) {
  ssize_t got = read(c->socket, c->answer + c->have, answer_bytes_max - 1 - c->have);
  if (got < 0) fail("read");
  if (got == 0) fputs("The server closed a connection.\n", stderr), exit(1);
  c->have += got;
  if (!c->need) {
    c->answer[c->have] = 0;
    char *end = strstr(c->answer, "\r\n\r\n");
    if (!end) return 0;
    *end = 0;
    c->need = end + 4 - c->answer + content_length(c->answer);
  }
  return c->have >= c->need;
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static double quantile_us(double part) {
  return times_count ? times_ns[(size_t)(part * (times_count - 1))] / 1000.0 : 0;
}

static void connect_all(int poll, int port, int number, const char *from) {
  struct sockaddr_in to = {AF_INET, htons(port), {htonl(INADDR_LOOPBACK)}, {0}};
  for (int i = 0, on = 1; i < number; i++) {
    Connection *c = &connections[i];
    c->socket = socket(AF_INET, SOCK_STREAM, 0);
    c->answer = malloc(answer_bytes_max);
    struct sockaddr_in own = {AF_INET, 0, {inet_addr(from)}, {0}};
    if (bind(c->socket, (struct sockaddr *)&own, sizeof own)) fail("bind");
    if (connect(c->socket, (struct sockaddr *)&to, sizeof to)) fail("connect");
    setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    epoll_ctl(poll, EPOLL_CTL_ADD, c->socket, &(struct epoll_event){EPOLLIN, {c}});
    add_idle(c);
  }
}

int main(int argc, char **argv) {
  if (argc != 6 && argc != 7)
    return fprintf(stderr, "usage: load PORT CONNECTIONS RATE WARM_SECONDS SECONDS [FROM_ADDRESS]\n"), 1;
  double rate = atof(argv[3]), warm = atof(argv[4]), seconds = atof(argv[5]);
  requests_bytes = fread(requests, 1, sizeof requests - 1, stdin);
  prctl(PR_SET_TIMERSLACK, 1);
  /* Real-time priority, if the system allows it, so that the times do not include this process's wait for a core. */
  if (rate > 0) sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){1});
  int poll = epoll_create1(0);
  connect_all(poll, atoi(argv[1]), atoi(argv[2]), argc == 7 ? argv[6] : "0.0.0.0");

  uint64_t start = now(), sent = 0, end = start + (warm + seconds) * 1e9;
  counted_from = start + warm * 1e9;
  struct epoll_event events[connections_max];
  for (uint64_t at = start; at < end; at = now()) {
    uint64_t next_due = at;
    while (idle_count > 0) {
      if (rate > 0 && (next_due = start + sent * 1e9 / rate) > at) break;
      send_request(take_idle(), next_due);
      sent++;
    }
    uint64_t wait = (idle_count > 0 ? next_due : end) - at;
    struct timespec pause = {wait / 1000000000, wait % 1000000000};
    int ready = epoll_pwait2(poll, events, connections_max, &pause, NULL);
    for (int i = 0; i < ready; i++) {
      Connection *c = events[i].data.ptr;
      if (!answered(c)) continue;
      count(c->due, c->answer[9] == '2');
      add_idle(c);
    }
  }
  qsort(times_ns, times_count, sizeof *times_ns, ascending);
  printf("{\"answers\":%zu,\"failures\":%zu,\"per_second\":%.1f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"p999_us\":%.1f}\n",
         times_count, failures, times_count / seconds, quantile_us(.5), quantile_us(.99), quantile_us(.999));
}
