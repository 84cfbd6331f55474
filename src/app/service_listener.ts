/**
 * Where the service listens: a host and a port, with or without TLS, a unix socket, or a socket that systemd has passed. Takes a new
 * certificate without cutting a connection (`inherited_socket.ts`).
 */

import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isoTime, type Clock } from "../core/clock.ts";
import { messageOf, type Log } from "../core/log.ts";
import type { Config } from "../core/settings.ts";
import type { Ingress } from "../web/ingress.ts";
import { withoutTls } from "../web/rewritten_request.ts";
import { web_limits } from "../web/limits.ts";
import { faultOfTime, readCertificate, type Certificate } from "./certificate.ts";
import { af_inet6, af_unix, boundTo, is_linux, process_id } from "./libc.ts";
import { listen, type Place } from "./bun_server.ts";
import { addressesOf, hostInUrl } from "./browser_urls.ts";
import { adopt, isListening, stopAccepting, withDescriptor } from "./inherited_socket.ts";
import { faultOfSocketPath, isAnswered, onSocket } from "./unix_socket.ts";

/** What the app needs to know of the place where it listens, once it does. */
export interface Listening {
  origin(): string;
  /** All URLs that reach the service on this machine, loopback first; `unix:` and the path of a unix socket. */
  urls(): string[];
  /** The address at the other end of a request's connection. Who may open a unix socket counts as loopback. */
  peer(request: Request): string;
  /** Sets how long the connection of a request may be idle from now on; 0: without limit. */
  setIdleSeconds(request: Request, seconds: number): void;
}

export interface Listener extends Omit<Listening, "origin" | "urls"> {
  /** The URL of the service; on a unix socket, the URL of localhost. */
  origin: string;
  /** All URLs that reach the service, loopback first; `unix:` and the path of a unix socket. */
  urls: string[];
  /** Reads the certificate again. Logs why not if that is not possible, and keeps the one that it has. */
  reload(): void;
  /** From now on each connection is closed after its response. */
  closeConnections(): void;
  /** Accepts nothing more. Resolves when all requests have been answered; `is_at_once` cuts them. */
  stop(is_at_once?: boolean): Promise<void>;
}

/** A server, and how it ends. */
interface Opened {
  server: Bun.Server<undefined>;
  /** The descriptor of its listening socket, if it can have a successor. */
  fd: number | null;
  closeConnections(): void;
}

/** Wraps `answer` so that each connection closes after its response (RFC 9112, section 9.6). */
const closing =
  (answer: Ingress): Ingress =>
  async (request) => {
    const response = await answer(request);
    response.headers.set("connection", "close");
    return response;
  };

/** Listens as `config` says, or on the socket `passed_fd`. Throws a user-facing error if that is not possible. */
export async function openListener(
  config: Pick<Config, "host" | "port" | "socket" | "socket_mode" | "tls_cert" | "tls_key">,
  { clock, log, passed_fd = null }: { clock: Clock; log: Log; passed_fd?: number | null },
  answer: Ingress,
): Promise<Listener> {
  const passed = passed_fd === null ? null : passedPlace(passed_fd);
  const place: Place = passed ?? (config.socket === null ? config : { unix: config.socket });
  /** The certificate of the files; null if there is none. Warns if it is not valid now, or not for long. */
  function certificate(): Certificate | null {
    const read = readCertificate(config);
    const fault = read && faultOfTime(read, clock.now());
    if (fault) {
      const [begins, ends] = [isoTime(read.begins_ms), isoTime(read.ends_ms)];
      const hint = `${fault.found} ${fault.remedy}`;
      log.warn("tls.certificate", { file: config.tls_cert, begins, ends, hint });
    }
    return read;
  }
  let tls = certificate();
  const unix = "unix" in place ? place.unix : null;
  if (unix !== null && tls !== null) {
    throw new Error(
      "A unix socket has no TLS: leave --tls-cert and --tls-key out, and give them to the proxy.",
    );
  }

  function open(start: (fetch: Ingress) => Pick<Opened, "server" | "fd">): Opened {
    let present = answer;
    const opened = start(tls ? (request) => present(withoutTls(request)) : (request) => present(request));
    return { ...opened, closeConnections: () => void (present = closing(answer)) };
  }

  /** A server that accepts from the listening socket `source`, which other descriptors may share. */
  function openOn(source: number): Opened {
    return open((fetch) => {
      // For a moment the server has a socket of its own.
      const own: Place =
        unix === null ? { host: "127.0.0.1", port: 0 } : { unix: join(tmpdir(), `wharf-${process_id}.sock`) };
      const started = withDescriptor(() => listen(own, fetch, log, tls));
      if ("unix" in own) rmSync(own.unix, { force: true });
      adopt(started.fd, source);
      return started;
    });
  }

  async function openPlace(): Promise<Opened> {
    if (passed_fd !== null) return openOn(passed_fd);
    if (unix === null) {
      const start = (fetch: Ingress) => () => listen(place, fetch, log, tls);
      // Only a certificate needs the descriptor.
      return open((fetch) =>
        tls && is_linux ? withDescriptor(start(fetch)) : { server: start(fetch)(), fd: null },
      );
    }
    const fault = (await isAnswered(unix)) ? "is taken" : faultOfSocketPath(unix);
    if (fault !== null) throw new Error(`--socket ${unix}: ${fault}. Choose another path.`);
    return open((fetch) => ({
      server: onSocket(unix, Number.parseInt(config.socket_mode, 8), () => listen(place, fetch, log)),
      fd: null,
    }));
  }

  let current = await openPlace();
  const port = passed && "port" in passed ? passed.port : current.server.port!;
  const scheme = tls ? "https" : "http";
  /** The servers before, whose last requests are being answered. */
  const former = new Set<Opened>();

  /** Opens a server with `next` on the same socket. The one before answers what it has begun. */
  function renew(next: Certificate): void {
    if (current.fd === null)
      throw new Error("A new certificate without a restart needs Linux: restart the service.");
    const before = current;
    const had = tls;
    try {
      tls = next;
      current = openOn(current.fd);
    } catch (error) {
      tls = had;
      throw error;
    }
    stopAccepting(before.fd!);
    before.closeConnections();
    former.add(before);
    // By then a connection has been closed after its response, or because it was idle: none is cut.
    clock.after((web_limits.idle_seconds_max + 1) * 1_000, () => {
      void before.server.stop().then(() => former.delete(before));
    });
  }

  return {
    origin: unix === null ? `${scheme}://${hostInUrl(placeHost(place))}:${port}` : `${scheme}://localhost`,
    urls: unix === null ? addressesOf(placeHost(place), port, scheme) : [`unix:${unix}`],
    peer: (request) =>
      current.server.requestIP(request)?.address ?? (unix === null ? "unknown" : "127.0.0.1"),
    setIdleSeconds: (request, seconds) => current.server.timeout(request, seconds),
    reload() {
      try {
        const next = certificate();
        if (next === null) log.info("service.reloaded", { hint: "There is no certificate to read again." });
        else {
          renew(next);
          log.info("service.reloaded", { certificate: config.tls_cert });
        }
      } catch (error) {
        log.error("service.reload_failed", {
          reason: messageOf(error),
          hint: "The service continues with the certificate that it has.",
        });
      }
    },
    closeConnections() {
      current.closeConnections();
    },
    async stop(is_at_once = false) {
      await Promise.all([current, ...former].map(({ server }) => server.stop(is_at_once)));
      if (unix !== null && passed === null) rmSync(unix, { force: true });
    },
  };
}

const placeHost = (place: Place): string => ("host" in place ? place.host : "localhost");

/** Where a socket of the service manager is bound. Throws a user-facing error if it does not listen. */
function passedPlace(fd: number): Place {
  if (!isListening(fd)) {
    throw new Error("The socket that systemd passed does not listen. Leave Accept= out of the .socket unit.");
  }
  const { family, bytes } = boundTo(fd);
  if (family === af_unix) return { unix: Buffer.from(bytes).toString("utf8").replace(/\0+$/, "") };
  const port = bytes[0]! * 256 + bytes[1]!;
  if (family !== af_inet6) return { host: bytes.subarray(2, 6).join("."), port };
  const groups = new DataView(bytes.buffer, bytes.byteOffset + 6, 16);
  const host = Array.from({ length: 8 }, (_, i) => groups.getUint16(i * 2).toString(16)).join(":");
  return { host: new URL(`http://[${host}]`).hostname.slice(1, -1), port };
}
