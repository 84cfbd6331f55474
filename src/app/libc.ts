/** Functions of the C library for which Bun has no API, most of them on Linux alone (bun:ffi). Loaded at first use. */

import { dlopen, ptr } from "bun:ffi";

const functions = {
  clock_gettime: { args: ["i32", "ptr"], returns: "i32" },
  dup2: { args: ["i32", "i32"], returns: "i32" },
  epoll_ctl: { args: ["i32", "i32", "i32", "ptr"], returns: "i32" },
  fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
  flock: { args: ["i32", "i32"], returns: "i32" },
  getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
  getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
  sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: "i64" },
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
} as const;

const open = (name: string) => dlopen(name, functions).symbols;
let loaded: ReturnType<typeof open> | undefined;

export const is_linux = process.platform === "linux";
const is_darwin = process.platform === "darwin";
export const is_x64 = process.arch === "x64";
export const process_id = process.pid;

/** The functions. Each returns a negative number if it fails. Throws a user-facing error if this is not Linux. */
export function libc(): ReturnType<typeof open> {
  if (loaded) return loaded;
  if (!is_linux) throw new Error("This needs Linux.");
  try {
    return (loaded = open("libc.so.6"));
  } catch {
    return (loaded = open(`libc.musl-${is_x64 ? "x86_64" : "aarch64"}.so.1`));
  }
}

/**
 * Locks the open file `fd` (flock(2): LOCK_EX | LOCK_NB). Returns false if somebody holds the lock. Processes that inherit the
 * descriptor hold it, too: the kernel releases it when the last of them has ended. Throws a user-facing error on Windows.
 */
export function lockDescriptor(fd: number): boolean {
  const { flock } = is_darwin ? dlopen("libSystem.B.dylib", { flock: functions.flock }).symbols : libc();
  return flock(fd, 2 | 4) === 0;
}

/** The value of an option of the socket `fd` at the level SOL_SOCKET; null if `fd` is no socket. */
export function socketOption(fd: number, option: number): number | null {
  const value = new Int32Array(1);
  const failed = libc().getsockopt(fd, 1, option, ptr(value), ptr(new Uint32Array([4])));
  return failed === 0 ? value[0]! : null;
}

/** Where the socket `fd` is bound: its family (AF_*) and the bytes of its address, from the third byte on. */
export function boundTo(fd: number): { family: number; bytes: Uint8Array } {
  const address = new Uint8Array(128);
  const length = new Uint32Array([address.length]);
  if (libc().getsockname(fd, ptr(address), ptr(length)) !== 0)
    throw new Error(`Descriptor ${fd} is no socket.`);
  return { family: new Uint16Array(address.buffer)[0]!, bytes: address.subarray(2, length[0]) };
}

/** The clock of the kernel that systemd compares with, in microseconds (CLOCK_MONOTONIC). */
export function monotonicMicroseconds(): bigint {
  const time = new BigInt64Array(2);
  libc().clock_gettime(1, ptr(time));
  return time[0]! * 1_000_000n + time[1]! / 1_000n;
}

/** Sends `text` as a datagram to the unix socket at `path`; one that begins with `@` is abstract. Returns whether it was sent. */
export function sendDatagram(fd: number, path: string, text: string): boolean {
  const name = Buffer.from(path.replace(/^@/, "\0"));
  const address = Buffer.concat([new Uint8Array(new Uint16Array([af_unix]).buffer), name]);
  const bytes = Buffer.from(text);
  // MSG_DONTWAIT | MSG_NOSIGNAL: the event loop must not wait for the receiver.
  return libc().sendto(fd, ptr(bytes), bytes.length, 0x40 | 0x4000, ptr(address), address.length) >= 0n;
}

export const [af_unix, af_inet, af_inet6] = [1, 2, 10];

/** A socket that sends datagrams to unix sockets, closed in child processes (SOCK_DGRAM | SOCK_CLOEXEC). */
export const datagramSocket = (): number => libc().socket(af_unix, 2 | 0x80000, 0);
