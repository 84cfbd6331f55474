/** A DNS server on this machine for tests, and a look-up that uses it. It answers over UDP (RFC 1035), with a TTL of 0. */

import { createSocket, type Socket } from "node:dgram";
import { promises as dns } from "node:dns";
import ipaddr from "ipaddr.js";

/** What the names of a server resolve to: addresses of both families, `unknown` (NXDOMAIN), or `silent` (no answer). */
export type Resolved = readonly string[] | "unknown" | "silent";

/** `count`: how often the name was resolved before. */
type Zone = (name: string, count: number) => Resolved;

export interface DnsServer {
  port: number;
  /** How often each name was resolved. */
  resolved: Map<string, number>;
  /** The addresses of a name, as a service is given a look-up. Throws if it has none. */
  lookup(host: string): Promise<readonly string[]>;
  stop(): void;
}

const [type_a, type_aaaa] = [1, 28];
const name_error = 3;

/** Starts a server on a port of `host` that the system chooses, or on `port`. */
export async function startDnsServer(zone: Zone, host = "127.0.0.1", port = 0): Promise<DnsServer> {
  const socket = createSocket("udp4");
  /** Queries by name and type: a name is resolved by one of each type. */
  const queries = new Map<string, number>();
  const resolved = new Map<string, number>();
  socket.on("message", (message, from) => {
    const { name, type, end } = questionOf(message);
    const query = `${type} ${name}`;
    const count = queries.get(query) ?? 0;
    queries.set(query, count + 1);
    resolved.set(name, Math.max(resolved.get(name) ?? 0, count + 1));
    const found = zone(name, count);
    if (found !== "silent") socket.send(answerTo(message, end, type, found), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(port, host, resolve));
  const at = portOf(socket);
  return {
    port: at,
    resolved,
    async lookup(name) {
      // A busy machine may need long for an answer that comes.
      const is_silent = zone(name, queries.get(`${type_a} ${name}`) ?? 0) === "silent";
      // A resolver remembers that a name had no address of a family.
      const resolver = new dns.Resolver({ timeout: is_silent ? 500 : 60_000, tries: 1 });
      resolver.setServers([`${host}:${at}`]);
      const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      return families.flatMap((family) => (family.status === "fulfilled" ? family.value : []));
    },
    stop: () => void socket.close(),
  };
}

const portOf = (socket: Socket): number => socket.address().port;

/** The question of a query, and where it ends. */
function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(query: Buffer, question_end: number, type: number, found: readonly string[] | "unknown") {
  const addresses = (found === "unknown" ? [] : found).map((text) => ipaddr.parse(text));
  const records = addresses
    .filter((address) => type === (address.kind() === "ipv4" ? type_a : type_aaaa))
    .map((address) => recordOf(type, Buffer.from(address.toByteArray())));
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  // An answer, recursion desired and available.
  header.writeUInt16BE(0x8180 + (found === "unknown" ? name_error : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(12, question_end), ...records]);
}

/** A record for the name in the question, of the class IN. */
function recordOf(type: number, address: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(address.length, 10);
  return Buffer.concat([head, address]);
}
