/** Parsers of settings. Each throws an `Error` whose message is the broken rule: "must be …". */

import ipaddr from "ipaddr.js";
import { ipVersion } from "./ip_address.ts";

export const wholeNumber =
  (least: number, most: number, rule: string) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) throw new Error(rule);
    return value;
  };

export const count = wholeNumber(1, 1_000_000_000, "must be a whole number above 0");

const size_units: Record<string, number> = {
  "": 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** A number of bytes, with or without a unit. */
export function sizeBytes(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,15}(?:\.\d{1,3})?) ?([a-z]*)$/i.exec(text) ?? [];
  const bytes = Math.round(Number(number) * (size_units[unit.toLowerCase()] ?? Number.NaN));
  if (number !== "" && Number.isSafeInteger(bytes)) return bytes;
  throw new Error("must be a size such as 500MB or 10GB, or 0 for none");
}

export const words = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

export function nonEmpty(text: string): string {
  if (text === "") throw new Error("must not be empty");
  return text;
}

/** An IP address, without the brackets of a URL, or localhost. */
export function listenAddress(text: string): string {
  const host = text.replace(/^\[(.*)\]$/, "$1");
  if (ipVersion(host) !== 0 || host === "localhost") return host;
  throw new Error("must be an IP address such as 127.0.0.1, 0.0.0.0 (all of IPv4) or :: (all), or localhost");
}

/** The permissions of a file as chmod(1) takes them: three octal digits, and a 0 before them if one likes. */
export function fileMode(text: string): string {
  if (/^0?[0-7]{3}$/.test(text)) return text;
  throw new Error("must be permissions in octal digits such as 0660");
}

/** The host, without brackets, and the port of `127.0.0.1:9473` or `[::1]:9473`. Throws as a parser does. */
export function hostAndPort(text: string): { host: string; port: number } {
  const [, address = "", digits = ""] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535) throw new Error("must be an address and a port such as 127.0.0.1:9473");
  return { host: listenAddress(address), port };
}

/** The text of an address and a port. */
export function addressAndPort(text: string): string {
  hostAndPort(text);
  return text;
}

/** A host name without scheme, port and path. */
export function hostNameOf(text: string): string {
  const url = URL.parse(`http://${text}`);
  if (url?.host === text.toLowerCase() && url.port === "") return text;
  throw new Error("must be host names such as wharf.lan, without scheme and port");
}

export function isOn(text: string): boolean {
  if (/^(?:1|true|yes|on)$/i.test(text)) return true;
  if (/^(?:0|false|no|off)$/i.test(text)) return false;
  throw new Error("must be true or false");
}

export const loopback = ["127.0.0.0/8", "::1/128"];
/** RFC 1918, RFC 4193, link-local and loopback. */
const private_networks = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "fc00::/7",
  "169.254.0.0/16",
  "fe80::/10",
  ...loopback,
];

/** The CIDR blocks for a word: a block, an address, `private` or `none`. */
export function networks(word: string): string[] {
  if (word === "private") return private_networks;
  if (word === "none") return [];
  const [address, ...length] = word.split("/") as [string, ...string[]];
  const bits = { 0: undefined, 4: 32, 6: 128 }[ipVersion(address)];
  const network = length.length === 0 ? `${address}/${bits}` : word;
  if (bits !== undefined && ipaddr.isValidCIDR(network)) return [network];
  throw new Error("must be a network such as 10.0.0.0/8, an address, private or none");
}

/** An origin as browsers write it (RFC 6454, section 6.2): scheme, host, and port unless it is the default. */
export function webOrigin(text: string): string {
  const url = URL.parse(text);
  if (
    !url?.host ||
    url.host.includes("*") ||
    url.username ||
    !/^[a-z][a-z0-9+.-]*:\/\/[^/?#]+\/?$/i.test(text)
  ) {
    throw new Error("must be origins such as https://app.example");
  }
  return `${url.protocol}//${url.host}`;
}

export function roundSeconds(text: string): number {
  const rule = "must be 60, or to try things out a whole number that divides it";
  const seconds = wholeNumber(1, 60, rule)(text);
  if (60 % seconds !== 0) throw new Error(rule);
  return seconds;
}

/** An http or https address without query, fragment and credentials. Drops a slash at the end. */
export function baseUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new Error("must be an http or https address such as https://wharf.example");
  }
  return url.href.replace(/\/+$/, "");
}

/** A line of at most 60 visible characters. */
export function title(text: string): string {
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,60}$/u.test(text) && text.trim() !== "") return text.trim();
  throw new Error("must be a line of at most 60 characters");
}

/** An http or https address without credentials. */
export function webAddress(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && text.length <= 200) return url.href;
  throw new Error("must be an http or https address such as https://wharf.example/terms");
}

/** An e-mail address or a web address. */
export function contact(text: string): string {
  if (/^[\w.+-]{1,64}@[a-z0-9.-]{1,100}$/i.test(text)) return text;
  try {
    return webAddress(text);
  } catch (error) {
    throw new Error("must be an e-mail address or an http or https address", { cause: error });
  }
}

/** One of the words. The parser lists them as `words`. */
export const oneOf = <Word extends string>(...words: readonly Word[]) =>
  Object.assign(
    (text: string): Word => {
      const word = words.find((one) => one === text);
      if (word === undefined) throw new Error(`must be one of ${words.join(", ")}`);
      return word;
    },
    { words },
  );

const seconds_of: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** A length of time such as 90s, 30m, 6h or 7d, in seconds. 0 needs no unit. */
export function duration(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,9})([smhd])$/.exec(text === "0" ? "0s" : text) ?? [];
  if (number !== "") return Number(number) * seconds_of[unit]!;
  throw new Error("must be a length of time such as 90s, 30m, 6h or 7d");
}
