/** Networks that are banned: their canonical form, and a set of them that finds the ban of an address without a scan. */

import ipaddr from "ipaddr.js";
import { ipVersion } from "../core/ip_address.ts";

/** A network in its canonical form. */
export interface Network {
  /** The CIDR block, such as `192.0.2.0/24`. An IPv4-mapped network is its IPv4 network. */
  text: string;
  /** 4 or 16 bytes. */
  bytes: Uint8Array;
  /** How many bits of `bytes` count. */
  length: number;
}

/** The length of the network of one subscriber, by which rate limits count, too. */
const subscriber_bits = { 4: 32, 16: 64 };

/** An address, or a CIDR block. An IPv6 address alone means its /64. Null for any other text. */
export function networkIn(text: string): Network | null {
  const [address = "", bits, ...rest] = text.trim().split("/");
  if (ipVersion(address) === 0 || rest.length > 0 || address.includes("%")) return null;
  const parsed = ipaddr.parse(address);
  const given = bits === undefined ? null : Number(/^\d{1,3}$/.exec(bits)?.[0] ?? Number.NaN);
  const length_max = parsed.toByteArray().length * 8;
  if (given !== null && !(given <= length_max)) return null;
  if (parsed.kind() === "ipv6" && (parsed as ipaddr.IPv6).isIPv4MappedAddress() && (given ?? 128) >= 96) {
    return network(ipaddr.process(address).toByteArray(), given === null ? null : given - 96);
  }
  return network(parsed.toByteArray(), given);
}

/** The colons of an IPv6 address, also in brackets or with a zone. */
const like_ipv6 = /^\[?[\da-f.]*:[\da-f.]*:[\da-f.:]*(?:%.*)?\]?$/i;
/** At least three groups of digits, also of a range or with a port. */
const like_ipv4 = /^\d[\d*:-]*(?:\.[\d*:-]+){2,}\.?$/;

/** Whether a text means an address or a network, valid or not. Any other text may be a name. */
export const looksLikeNetwork = (text: string): boolean =>
  text.includes("/") || like_ipv6.test(text.trim()) || like_ipv4.test(text.trim());

function network(given: number[], bits: number | null): Network {
  const length = bits ?? subscriber_bits[given.length as 4 | 16];
  const bytes = masked(Uint8Array.from(given), length);
  return { text: `${ipaddr.fromByteArray([...bytes]).toString()}/${length}`, bytes, length };
}

/** A copy of `bytes` in which all but the first `length` bits are 0. */
function masked(bytes: Uint8Array, length: number): Uint8Array {
  return bytes.map((byte, i) => byte & (0xff00 >> Math.min(Math.max(length - i * 8, 0), 8)) & 0xff);
}

const keyOf = (bytes: Uint8Array, length: number): string =>
  Buffer.from(masked(bytes, length)).toString("latin1");

/** Whether two networks have an address in common. */
export function overlap(a: Network, b: Network): boolean {
  const length = Math.min(a.length, b.length);
  return a.bytes.length === b.bytes.length && keyOf(a.bytes, length) === keyOf(b.bytes, length);
}

/** Most addresses whose result is cached, because parsing an address takes time. */
const cached_max = 10_000;

/** Values by network. A look-up costs one search of a map for each length that any network has. */
export class NetworkMap<Value> {
  readonly #by_length = new Map<4 | 16, Map<number, Map<string, Value>>>();
  readonly #cached = new Map<string, readonly Value[]>();
  #size = 0;

  constructor(entries: Iterable<readonly [Network, Value]>) {
    for (const [{ bytes, length }, value] of entries) {
      const family = bytes.length as 4 | 16;
      const lengths = this.#by_length.get(family) ?? new Map<number, Map<string, Value>>();
      const values = lengths.get(length) ?? new Map<string, Value>();
      this.#by_length.set(family, lengths.set(length, values.set(keyOf(bytes, length), value)));
      this.#size++;
    }
  }

  get size(): number {
    return this.#size;
  }

  /** The values of all networks that contain `address`; none for a text that is no address. */
  find(address: string): readonly Value[] {
    const known = this.#cached.get(address);
    if (known) return known;
    const found = this.#search(address);
    if (this.#cached.size >= cached_max) this.#cached.clear();
    this.#cached.set(address, found);
    return found;
  }

  #search(address: string): Value[] {
    if (!ipaddr.isValid(address)) return [];
    const bytes = Uint8Array.from(ipaddr.process(address).toByteArray());
    const found: Value[] = [];
    for (const [length, values] of this.#by_length.get(bytes.length as 4 | 16) ?? []) {
      const value = values.get(keyOf(bytes, length));
      if (value !== undefined) found.push(value);
    }
    return found;
  }
}
