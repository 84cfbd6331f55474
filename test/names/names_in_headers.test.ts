/** Names beyond ASCII in headers: in which forms a request may have them, and how answers have them (docs/contract.md, sections 0 and 1). */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { pairOf } from "../../src/client/client.ts";
import { clientOf } from "../support/client.ts";
import { get, post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { rawRequest } from "../support/raw.ts";
import { open } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";

const names = ["Ünal", "はるか", "نور", "Ada Lovelace"] as const;
const holders = new Map<string, Holder>();
let service: SourceService;
beforeAll(async () => {
  service = await startSource();
  for (const name of names) holders.set(name, await claim(service.url, name));
});
afterAll(() => service.stop());

/** The answer to `whoami` with these header lines, whose characters are bytes. */
async function whoami(...lines: string[]) {
  const head = ["POST /api/name/whoami HTTP/1.1", `host: ${new URL(service.url).host}`, "connection: close"];
  const bytes = Buffer.from([...head, "content-length: 0", ...lines, "", ""].join("\r\n"), "latin1");
  const { status, body } = await rawRequest(service.url, bytes);
  return { status, name: (JSON.parse(body) as { name?: string }).name };
}
const bytesOf = (text: string, encoding: "utf8" | "latin1") => Buffer.from(text, encoding).toString("latin1");
const keyOf = (name: string): string => holders.get(name)!.key;

describe("a request may have the name", () => {
  test.each(names.map((name) => [name]))("%s percent-encoded, and in another spelling", async (name) => {
    for (const sent of [name, name.toUpperCase(), name.normalize("NFD")])
      expect(await whoami(`x-wf-name: ${encodeURIComponent(sent)}`, `x-wf-key: ${keyOf(name)}`)).toEqual({
        status: 200,
        name,
      });
  });

  test.each(names.map((name) => [name]))("%s as the bytes of UTF-8, as curl sends it", async (name) => {
    const sent = bytesOf(name, "utf8");
    expect((await whoami(`x-wf-name: ${sent}`, `x-wf-key: ${keyOf(name)}`)).name).toBe(name);
  });

  test("in Latin-1, as fetch sends it", async () => {
    const sent = bytesOf("Ünal", "latin1");
    expect((await whoami(`x-wf-name: ${sent}`, `x-wf-key: ${keyOf("Ünal")}`)).name).toBe("Ünal");
    const answer = await post(`${service.url}/api/name/whoami`, undefined, {
      "x-wf-name": "ünal",
      "x-wf-key": keyOf("Ünal"),
    });
    expect(answer.body.name).toBe("Ünal");
  });

  test.each(names.map((name) => [name]))("%s as the user of HTTP Basic", async (name) => {
    const basicOf = (bytes: Buffer) => `authorization: Basic ${bytes.toString("base64")}`;
    expect((await whoami(basicOf(Buffer.from(`${name}:${keyOf(name)}`)))).name).toBe(name);
    if (name === "Ünal")
      expect((await whoami(basicOf(Buffer.from(`${name}:${keyOf(name)}`, "latin1")))).name).toBe(name);
  });

  test("not at all: the key alone says it", async () => {
    expect((await whoami(`x-wf-key: ${keyOf("はるか")}`)).name).toBe("はるか");
  });
});

test.each([
  ["another name", encodeURIComponent("نور")],
  ["a percent sign without digits", "%zz"],
  ["percent-encoded bytes that are no UTF-8", "%dcnal"],
  ["a name that is encoded twice", encodeURIComponent(encodeURIComponent("はるか"))],
])("refuses %s", async (_what, sent) => {
  expect((await whoami(`x-wf-name: ${sent}`, `x-wf-key: ${keyOf("はるか")}`)).status).toBe(401);
});

test("the client sends every name so that fetch takes it", async () => {
  for (const name of names) {
    const { data } = await clientOf(service.url, holders.get(name)!).post("/api/name/whoami");
    expect(data?.name).toBe(name);
  }
  expect(pairOf("Ada Lovelace", "k")["x-wf-name"]).toBe("Ada Lovelace");
});

test("x-wharf-present has names percent-encoded", async () => {
  const room = await open(service.url, "Who is here?");
  const streams = [];
  for (const name of names) streams.push(await readEvents(`${room.api}/stream`, holders.get(name)!.bearer));
  const present = async () =>
    (await get(`${service.url}/meet/r/${room.slug}/after/0`)).headers.get("x-wharf-present");
  let sent = await present();
  while (sent?.split(", ").length !== names.length) sent = await present();
  expect(sent.split(", ").map(decodeURIComponent).sort()).toEqual([...names].sort());
  expect(sent).toMatch(/^[ -~]*$/);
  for (const stream of streams) await stream.close();
});

test.each(["Zoë", "カナ", "سلمى"])("the Location of a claim of %s leads to the name", async (name) => {
  const { headers } = await post(`${service.url}/api/name`, { name });
  const location = headers.get("location")!;
  expect(location).toBe(`${service.url}/api/name/${encodeURIComponent(name)}`);
  expect((await get(location)).body.name).toBe(name);
});
