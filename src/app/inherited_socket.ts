/**
 * Lets a server of Bun accept from a socket that listens already: a socket of systemd, or of another server in this process,
 * which so gets a successor with another certificate.
 *
 * Bun has neither: `server.reload` ignores `tls` (oven-sh/bun#43815), and `Bun.serve` takes no descriptor (oven-sh/bun#36491).
 * A server is therefore started on a socket of its own, which dup2(2) replaces by the given one. Closing a descriptor takes it
 * out of the epoll set of the event loop, so it is added again with the same events and data, which /proc/self/fdinfo shows
 * (proc_pid_fdinfo(5), epoll_ctl(2)). Both servers then share one listening socket, and no connection in its queue is lost.
 */

import { ptr } from "bun:ffi";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { is_x64, libc, socketOption } from "./libc.ts";

const so_acceptconn = 30;
const [epoll_ctl_add, epoll_ctl_del] = [1, 2];
const [f_getfl, f_setfl, o_nonblock] = [3, 4, 0o4000];

/** Whether the descriptor is a socket that listens. */
export const isListening = (fd: number): boolean => socketOption(fd, so_acceptconn) === 1;

/** The descriptors of this process, without the one that reads the list. */
const descriptors = (): number[] => readdirSync("/proc/self/fd").map(Number);

/** Starts a server, and returns it with the descriptor of its listening socket. `start` must not wait. */
export function withDescriptor<Server>(start: () => Server): { server: Server; fd: number } {
  const before = new Set(descriptors().filter(isListening));
  const server = start();
  const fd = descriptors().find((one) => !before.has(one) && isListening(one));
  if (fd === undefined) throw new Error("The server does not listen.");
  return { server, fd };
}

/** Makes the server whose listening socket is `fd` accept from `source` in its place. `source` itself can then be closed. */
export function adopt(fd: number, source: number): void {
  const { set, events, data } = registrationOf(fd);
  const { fcntl, dup2, epoll_ctl } = libc();
  fcntl(source, f_setfl, fcntl(source, f_getfl, 0) | o_nonblock);
  // The kernel packs the structure on x86-64 alone (linux/eventpoll.h): 4 bytes of events, 8 of data.
  const event = new DataView(new ArrayBuffer(16));
  event.setUint32(0, events, true);
  event.setBigUint64(is_x64 ? 4 : 8, data, true);
  const is_done =
    dup2(source, fd) === fd && epoll_ctl(set, epoll_ctl_add, fd, ptr(new Uint8Array(event.buffer))) === 0;
  if (!is_done) throw new Error("The server cannot take over the listening socket.");
}

/** Makes the server whose listening socket is `fd` accept no further connection. Its open connections stay. */
export function stopAccepting(fd: number): void {
  libc().epoll_ctl(registrationOf(fd).set, epoll_ctl_del, fd, ptr(new Uint8Array(16)));
}

/** The epoll set that has `fd`, and what it has for it. */
function registrationOf(fd: number): { set: number; events: number; data: bigint } {
  for (const set of descriptors()) {
    if (!isEpoll(set)) continue;
    for (const [, target, events, data] of readFileSync(`/proc/self/fdinfo/${set}`, "latin1").matchAll(
      /^tfd:\s+(\d+) events:\s+([0-9a-f]+) data:\s+([0-9a-f]+)/gm,
    )) {
      if (Number(target) === fd)
        return { set, events: Number.parseInt(events!, 16), data: BigInt(`0x${data!}`) };
    }
  }
  throw new Error("The event loop does not watch the listening socket.");
}

function isEpoll(fd: number): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === "anon_inode:[eventpoll]";
  } catch {
    // Closed since the list was read.
    return false;
  }
}
