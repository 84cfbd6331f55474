/** Compressed answers: which are, in which encoding, with which validators, and that nothing secret is. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { claim } from "../support/names.ts";
import { post } from "../support/http.ts";
import { withinOneRound } from "../support/rounds.ts";
import { ways, type TestService } from "../support/service.ts";

const decoders: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

describe.each(ways)("compressed answers (%s)", (_way, start) => {
  let service: TestService;
  beforeAll(async () => {
    service = await start();
    const api = `${service.url}/api/meet/rooms`;
    await post(api, { goal: "Pressed", name: "Ada" });
    for (const n of Array(20).keys()) {
      const { status } = await post(`${api}/pressed/posts`, {
        name: "Ada",
        body: `${n} ${"words that come again ".repeat(170)}`,
      });
      expect(status).toBe(201);
    }
  });
  afterAll(() => service.stop());

  /** The answer with its bytes as they came. */
  async function get(path: string, headers: Record<string, string>) {
    const response = await fetch(service.url + path, { headers, decompress: false });
    return { status: response.status, headers: response.headers, bytes: await response.bytes() };
  }

  /** A room beyond 64 KiB is compressed in another thread. */
  const paths = ["/meet", "/api/meet/rooms/pressed", "/meet/r/pressed.md", "/openapi.json", "/llms.txt", "/"];

  test.each(paths)("%s comes in the encoding that was asked for, with the same content", async (path) => {
    // The home page shows the beacon's last round.
    const [whole, ...answers] = await withinOneRound(service.url, async () => [
      await get(path, { "accept-encoding": "identity" }),
      ...(await Promise.all(
        Object.keys(decoders).map((encoding) => get(path, { "accept-encoding": encoding })),
      )),
    ]);
    expect([whole!.status, whole!.headers.get("content-encoding")]).toEqual([200, null]);
    for (const [i, [encoding, decode]] of Object.entries(decoders).entries()) {
      const answer = answers[i]!;
      expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, encoding]);
      expect(answer.headers.get("vary")).toContain("Accept-Encoding");
      expect(answer.bytes.length).toBeLessThan(whole!.bytes.length);
      expect(Buffer.from(decode(answer.bytes))).toEqual(Buffer.from(whole!.bytes));
    }
  });

  test.each([
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip, deflate, br", "br"],
    ["gzip, deflate", "gzip"],
    ["zstd;q=0, gzip;q=0.5", "gzip"],
    ["*", "zstd"],
    ["identity, gzip;q=0.5", null],
    ["deflate", null],
    ["compress;q=nonsense", null],
    ["", null],
  ])("Accept-Encoding: %s gets %p", async (accept, encoding) => {
    const { headers } = await get("/api/meet/rooms/pressed", { "accept-encoding": accept });
    expect(headers.get("content-encoding")).toBe(encoding);
  });

  test("each encoding has a strong ETag of its own, which leads to 304 for that encoding alone", async () => {
    const path = "/api/meet/rooms/pressed";
    const etags = new Map<string, string>();
    for (const encoding of ["identity", ...Object.keys(decoders)]) {
      etags.set(encoding, (await get(path, { "accept-encoding": encoding })).headers.get("etag")!);
    }
    expect(new Set(etags.values()).size).toBe(4);
    for (const [encoding, etag] of etags) {
      for (const [other, other_etag] of etags) {
        const again = await get(path, { "accept-encoding": encoding, "if-none-match": other_etag });
        expect([encoding, other, again.status]).toEqual([encoding, other, encoding === other ? 304 : 200]);
        expect(again.headers.get("etag")).toBe(etag);
        if (again.status === 304) expect([...again.bytes]).toEqual([]);
      }
    }
  });

  test("a short answer, a picture and an event stream come as they are", async () => {
    const accept = { "accept-encoding": "gzip, br, zstd" };
    const [icon] = /assets\/[^"]+icon\.png/.exec(await (await fetch(service.url)).text())!;
    for (const path of ["/healthz", "/robots.txt", `/${icon}`]) {
      expect([path, (await get(path, accept)).headers.get("content-encoding")]).toEqual([path, null]);
    }
    const stream = await fetch(`${service.url}/api/meet/rooms/pressed/stream`, { headers: accept });
    expect(stream.headers.get("content-encoding")).toBeNull();
    await stream.body!.cancel();
  });

  test("nothing is compressed that a browser asks for with a credential that it sends by itself", async () => {
    const { name, key } = await claim(service.url, "Presser");
    const accept = { "accept-encoding": "gzip, br, zstd" };
    const basic = `Basic ${Buffer.from(`${name}:${key}`).toString("base64")}`;
    for (const [header, value] of [
      ["authorization", basic],
      ["cookie", "a=b"],
    ] as const) {
      const { status, headers } = await get("/api/meet/rooms/pressed", { ...accept, [header]: value });
      expect([status, headers.get("content-encoding")]).toEqual([200, null]);
    }
  });

  test("answers with a key are never compressed", async () => {
    const response = await fetch(`${service.url}/api/name`, {
      method: "POST",
      headers: { "content-type": "application/json", "accept-encoding": "gzip, br, zstd" },
      body: JSON.stringify({ name: "Keyholder" }),
      decompress: false,
    });
    expect([response.status, response.headers.get("content-encoding")]).toEqual([201, null]);
    expect(Buffer.from(await response.bytes()).toString()).toContain("wfk_");
  });
});
