/** Requests that no client library sends: damaged bytes, wrong lengths, broken chunks, odd targets, more than one in a connection. */

import { bytesOf, type Sent } from "./request.ts";
import type { Random } from "./random.ts";
import { damaged, junkText } from "./values.ts";

const targets = [
  "#",
  "/#%",
  "*",
  "//",
  "/../../etc/passwd",
  "/%2e%2e/%2e%2e/",
  "/%",
  "/%ff",
  "/%00",
  "/api/meet/rooms?%zz=%",
  "http://localhost/api/jobs#a",
  "http://[::1/",
  "https://elsewhere.example/",
  "localhost:443",
  "/\\",
  "/api//jobs",
  "/api/jobs/",
  "/meet/r/%F0%9F%92%A9",
];

/** A request whose body comes in chunks, some of them broken. */
function chunked(sent: Sent, random: Random): Buffer {
  const body = sent.body ?? Buffer.from('{"name":"ana"}');
  const { method, target, headers } = sent;
  const head = bytesOf({ method, target, headers: [...headers, ["transfer-encoding", "chunked"]] });
  const size = random.oneOf([
    body.length.toString(16),
    "ffffffffffffffff",
    "-1",
    "zz",
    "0",
    `${body.length.toString(16)};a=b`,
    "",
  ]);
  const end = random.oneOf([
    "\r\n0\r\n\r\n",
    "\r\n0\r\nTrailer: a\r\n\r\n",
    "",
    "\r\n",
    "0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
  ]);
  return Buffer.concat([head, Buffer.from(`${size}\r\n`), body, Buffer.from(end)]);
}

/** Turns a request into bytes that are none, or nearly none. */
export function rawRequest(sent: Sent, random: Random): Buffer {
  const bytes = bytesOf(sent);
  const text = () => bytes.toString("latin1");
  const replaced = (from: string | RegExp, to: string) =>
    Buffer.from(
      text().replace(from, () => to),
      "latin1",
    );
  const header = (line: string) => replaced("\r\n", `\r\n${line}\r\n`);
  const forms: (() => Buffer)[] = [
    () => damaged(bytes, random),
    () => damaged(bytes.subarray(0, Math.min(bytes.length, 300)), random),
    () => bytes.subarray(0, random.below(bytes.length)),
    () => bytesOf({ ...sent, target: random.oneOf(targets) }),
    () => bytesOf({ ...sent, target: sent.target + random.oneOf(targets) }),
    () =>
      replaced(
        "HTTP/1.1",
        random.oneOf(["HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "HTTP/1.1 ", "HTTP", "RTSP/1.0"]),
      ),
    () =>
      header(
        `content-length: ${random.oneOf(["-1", "0", "99999999999999999999", "1e3", "5, 5", "+3", " "])}`,
      ),
    () =>
      header(
        `transfer-encoding: ${random.oneOf(["chunked", "gzip, chunked", "identity", "xchunked", "chunked, chunked"])}`,
      ),
    () => header(`host: ${random.oneOf(["", "a b", "localhost:z", "[::1", "elsewhere.example", "é"])}`),
    () => header(`${junkText(random).slice(0, 100)}: ${junkText(random).slice(0, 100)}`),
    () => header(`x-long: ${"a".repeat(random.below(40_000))}`),
    () => header(Array.from({ length: random.below(400) }, (_, i) => `x-${i}: ${i}`).join("\r\n")),
    // Bun closes the connection at a method that it does not know.
    () => bytesOf({ ...sent, method: random.oneOf(["FROB", "get", "", "GET\t", "A".repeat(9_000)]) }),
    () => header(" folded"),
    () => replaced(/host: [^\r]*\r\n/, ""),
    () => replaced(/\r\n/g, "\n"),
    () => chunked(sent, random),
    () =>
      Buffer.concat([
        bytesOf({ ...sent, headers: [["connection", "keep-alive"], ...sent.headers] }),
        bytes,
        bytes,
      ]),
    () =>
      Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), Buffer.alloc(random.below(100), 1)]),
    () => Buffer.from(Array.from({ length: 1 + random.below(400) }, () => random.below(256))),
    () =>
      Buffer.from([
        0x16,
        0x03,
        0x01,
        0x02,
        0x00,
        0x01,
        ...Array.from({ length: 200 }, () => random.below(256)),
      ]),
    () => Buffer.from("\r\n".repeat(random.below(50))),
  ];
  return random.oneOf(forms)();
}
