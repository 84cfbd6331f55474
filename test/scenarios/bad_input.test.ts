/** Malformed, oversized and hostile input is refused with a clear problem and stores nothing. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { OpenedRoom, Post, RoomRead } from "../../src/api/rooms/rooms.ts";
import { floodingBody } from "../support/flood.ts";
import { get, post } from "../support/http.ts";
import { rawRequest } from "../support/raw.ts";
import { ways, type TestService } from "../support/service.ts";

/** Characters that no text for others may contain. The generator makes no flags, whose tag characters are allowed. */
const deceptive =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u202a-\u202e\u{e0000}-\u{e007f}]|\r(?!\n)/u;

const json = { "content-type": "application/json" };

describe.each(ways)("bad input (%s)", (_way, start) => {
  let service: TestService;
  let room: OpenedRoom;
  let posts: string;
  beforeAll(async () => {
    service = await start();
    room = (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal: "Bad input", name: "Ada" })).body;
    posts = `${room.api}/posts`;
  });
  afterAll(async () => {
    // No test stored anything, and the service still answers.
    const { body } = await get<RoomRead>(room.api);
    expect(body.posts.filter(({ name }) => name !== "round trip")).toEqual([]);
    expect(service.output()).not.toContain('"level":"error"');
    await service.stop();
  });

  /** Sends a body unchanged. Expects a problem with this status and code. */
  const refused = async (
    body: BodyInit | undefined,
    headers: Record<string, string>,
    status: number,
    code: string,
  ): Promise<Record<string, unknown>> => {
    const response = await fetch(posts, { method: "POST", headers, body: body ?? null });
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const problem = (await response.json()) as Record<string, unknown>;
    expect(problem).toMatchObject({ status, code });
    expect(response.status).toBe(status);
    return problem;
  };

  describe("bodies that are not JSON", () => {
    const said = '{"name":"Ada","body":"hi"}';
    test.each<[string, BodyInit | undefined]>([
      ["nothing", undefined],
      ["empty", ""],
      ["white space", "  \n"],
      ["cut short", said.slice(0, -1)],
      ["followed by more", `${said}{}`],
      ["single quotes", "{'name':'Ada'}"],
      ["a comment", `${said}//`],
      ["NaN", '{"name":NaN}'],
      ["a control character in a string", '{"name":"A\u0001","body":"x"}'],
      ["a byte-order mark", `\ufeff${said}`],
      [
        "invalid UTF-8",
        Buffer.from([...Buffer.from('{"name":"A'), 0xff, 0xfe, ...Buffer.from('","body":"x"}')]),
      ],
      [
        "overlong UTF-8",
        Buffer.from([...Buffer.from('{"name":"A'), 0xc0, 0xaf, ...Buffer.from('","body":"x"}')]),
      ],
      [
        "a UTF-8 surrogate",
        Buffer.from([...Buffer.from('{"name":"A'), 0xed, 0xa0, 0x80, ...Buffer.from('","body":"x"}')]),
      ],
      ["UTF-16", Buffer.from(said, "utf16le")],
      ["100,000 deep", "[".repeat(100_000) + "]".repeat(100_000)],
      ["33 deep", `{"name":"Ada","body":"x","more":${"[".repeat(32)}${"]".repeat(32)}}`],
    ])("refuses %s", (_what, body) => refused(body, json, 400, "malformed_json").then(() => undefined));

    test("accepts 32 levels", async () => {
      const deep = JSON.parse(`${"[".repeat(31)}${"]".repeat(31)}`);
      expect((await post(posts, { name: "round trip", body: "x", deep })).status).toBe(201);
    });

    test("does not count brackets side by side or in a text as levels", async () => {
      const more = [Array.from({ length: 100 }, () => []), Array.from({ length: 100 }, () => ({}))];
      const body = `${"[{".repeat(100)}\\"`;
      expect((await post(posts, { name: "round trip", body, more })).status).toBe(201);
    });
  });

  describe("values of the wrong kind", () => {
    test.each<[string, unknown, string[]]>([
      ["null", null, [""]],
      ["an array", [], [""]],
      ["a number", 7, [""]],
      ["a string", "x", [""]],
      ["no fields", {}, ["/body", "/name"]],
      ["numbers", { name: 1, body: 2 }, ["/body", "/name"]],
      ["booleans", { name: true, body: false }, ["/body", "/name"]],
      ["objects", { name: {}, body: { toString: "x" } }, ["/body", "/name"]],
      ["nulls", { name: null, body: null }, ["/body", "/name"]],
      ["a lone high surrogate", { name: "Ada", body: "a\ud800b" }, ["/body"]],
      ["a lone low surrogate", { name: "A\udc00", body: "b" }, ["/name"]],
      ["a reply to a number", { name: "Ada", body: "x", in_reply_to: 5 }, ["/in_reply_to"]],
      ["inherited names", JSON.parse('{"__proto__":{"name":"Ada","body":"x"}}'), ["/body", "/name"]],
    ])("refuses %s", async (_what, value, paths) => {
      const problem = await refused(JSON.stringify(value), json, 422, "invalid_fields");
      const errors = problem.errors as { path: string }[];
      expect(errors.map(({ path }) => path).toSorted()).toEqual(paths);
      const whole = "What was sent must be a JSON object";
      expect(problem.detail).toStartWith(paths[0] === "" ? whole : "/");
    });

    test("ignores a field of an operation that the request does not call", async () => {
      const rooms = `${service.url}/api/meet/rooms`;
      for (const first_post of [5, {}, { id: "1", body: 2 }, "smuggled".repeat(1_000)]) {
        const opened = await post<OpenedRoom>(rooms, { goal: "Fields", name: "Ada", first_post });
        expect(opened.status).toBe(201);
        expect((await get<RoomRead>(opened.body.api)).body.posts).toEqual([]);
      }
    });

    test("ignores unknown fields", async () => {
      const { status, body } = await post<Post>(posts, {
        name: "round trip",
        body: "x",
        id: "mine",
        ts: "2000-01-01T00:00:00.000Z",
        claimed: true,
        redacted: "host",
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({ claimed: false, body: "x" });
      expect(body.id).not.toBe("mine");
      expect(body.redacted).toBeUndefined();
    });
  });

  describe("media types", () => {
    test.each([
      ["application/x-www-form-urlencoded", "name=Ada&body=x"],
      [
        "multipart/form-data; boundary=b",
        '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nAda\r\n--b--',
      ],
      ["text/plain", '{"name":"Ada","body":"x"}'],
      ["application/octet-stream", '{"name":"Ada","body":"x"}'],
      ["application/jsonp", '{"name":"Ada","body":"x"}'],
    ])("answers 415 to %s", (type, body) =>
      refused(body, { "content-type": type }, 415, "unsupported_media_type").then(() => undefined),
    );

    test("answers 415 to JSON on the form's page", async () => {
      const answer = await post(room.url, { name: "Ada", body: "x" });
      expect(answer).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
    });

    test("answers 400 to a form that is not UTF-8", async () => {
      const response = await fetch(room.url, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
        body: "name=%ff%fe&body=x",
      });
      expect(response.status).toBe(400);
    });
  });

  describe("size", () => {
    test("answers 413 to a body over the limit, declared or not", async () => {
      const large = JSON.stringify({ name: "Ada", body: "x".repeat(300 * 1024) });
      await refused(large, json, 413, "body_too_large");
      const endless = floodingBody(Buffer.from("x".repeat(64 * 1024)));
      const response = await fetch(posts, { method: "POST", headers: json, body: endless }).catch(() => null);
      if (response) expect(response.status).toBe(413);
    });

    test("answers 413 at once to an excessive declared length", async () => {
      const { host } = new URL(service.url);
      const answer = await rawRequest(service.url, [
        "POST /api/meet/rooms HTTP/1.1",
        `Host: ${host}`,
        "Content-Type: application/json",
        "Content-Length: 99999999999",
        "Connection: close",
        "",
        "{}",
      ]);
      expect(answer.status).toBe(413);
      expect(answer.body).toContain("body_too_large");
    });
  });

  describe("addresses", () => {
    test.each([
      ["/%", 400],
      ["/api/meet/rooms/%ff", 400],
      ["/api/meet/rooms/%00", 404],
      ["/api/meet/rooms/..%2f..%2fetc%2fpasswd", 404],
      ["/api/meet/rooms/bad-input%2Fposts", 404],
      ["/api/meet/rooms/BAD_INPUT", 404],
      [`/api/meet/rooms/${"x".repeat(5000)}`, 404],
      ["/api/meet/rooms/bad-input?since=%ff", 422],
      ["/api//meet/rooms", 404],
      ["/healthz/x", 404],
    ])("answers %s with %i", async (path, status) => {
      const { host } = new URL(service.url);
      const answer = await rawRequest(service.url, [
        `GET ${path} HTTP/1.1`,
        `Host: ${host}`,
        "Connection: close",
        "",
        "",
      ]);
      expect(answer.status).toBe(status);
      if (answer.body) expect(JSON.parse(answer.body).status).toBe(status);
    });
  });

  describe("framing", () => {
    test.each<[string, string[]]>([
      [
        "two lengths",
        [
          "POST /api/meet/rooms HTTP/1.1",
          "Host: localhost",
          "Content-Length: 2",
          "Content-Length: 3",
          "",
          "{}",
        ],
      ],
      [
        "a length and chunks",
        [
          "POST /api/meet/rooms HTTP/1.1",
          "Host: localhost",
          "Content-Length: 2",
          "Transfer-Encoding: chunked",
          "",
          "0",
          "",
          "",
        ],
      ],
      [
        "a negative length",
        ["POST /api/meet/rooms HTTP/1.1", "Host: localhost", "Content-Length: -1", "", ""],
      ],
      ["no host", ["GET /healthz HTTP/1.1", "", ""]],
      ["two hosts", ["GET /healthz HTTP/1.1", "Host: localhost", "Host: evil.example", "", ""]],
      ["a space before the colon", ["GET /healthz HTTP/1.1", "Host : localhost", "", ""]],
      ["no version", ["GET /healthz", "Host: localhost", "", ""]],
      ["nonsense", ["\u0016\u0003\u0001 hello", "", ""]],
    ])("refuses %s", async (_what, lines) => {
      const request = lines.slice();
      request.splice(request.indexOf(""), 0, "Connection: close");
      const { status } = await rawRequest(service.url, request);
      expect([0, 400, 415, 421, 505]).toContain(status);
    });
  });

  test("returns any text byte for byte, or refuses it", async () => {
    const unit = fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
      {
        weight: 1,
        arbitrary: fc.string({
          unit: fc.constantFrom("\ud800", "\udc00", "\0", "\r", "\u2028", "a"),
          maxLength: 6,
        }),
      },
    );
    await fc.assert(
      fc.asyncProperty(unit, async (body) => {
        const answer = await post<Post>(posts, { name: "round trip", body });
        const storable = body.isWellFormed() && !deceptive.test(body) && body.trim() !== "";
        expect(answer.status).toBe(storable ? 201 : 422);
        if (!storable) return;
        expect(answer.body.body).toBe(body);
        const { body: page } = await get<RoomRead>(`${room.api}?limit=1`);
        expect(page.posts[0]!.body).toBe(body);
      }),
      { numRuns: 300 },
    );
  });

  test("answers mutated requests, and never with a 5xx", async () => {
    const { host } = new URL(service.url);
    const said = '{"name":"mutant","body":"","goal":""}';
    const seed = Buffer.from(
      `POST /api/meet/rooms/bad-input/posts?since=x&limit=5 HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
        `Accept: application/json\r\nIdempotency-Key: k\r\nContent-Length: ${said.length}\r\nConnection: close\r\n\r\n${said}`,
    );
    const change = fc.record({
      at: fc.nat(seed.length - 1),
      to: fc.nat(255),
      kind: fc.constantFrom("set", "cut", "double"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        let bytes: Uint8Array = Uint8Array.from(seed);
        for (const { at, to, kind } of changes) {
          if (kind === "set") bytes[at % bytes.length] = to;
          else {
            const cut = at % bytes.length;
            const rest = bytes.subarray(kind === "cut" ? cut + 1 : cut);
            bytes = Buffer.concat([bytes.subarray(0, kind === "cut" ? cut : cut + 1), rest]);
          }
        }
        // Closing our side ends the request, whatever its length says.
        const status = await statusOf(service.url, bytes);
        // The server answers 505 to a request line without a known version.
        if (status !== 505) expect(status).toBeLessThan(500);
      }),
      { numRuns: 1000 },
    );
    expect((await get(`${service.url}/healthz`)).status).toBe(200);
  }, 60_000);
});

/** The status of the answer to raw bytes whose sender then closes; 0 for none. */
async function statusOf(url: string, bytes: Uint8Array): Promise<number> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<number>();
  let text = "";
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open(socket) {
        socket.write(bytes);
        socket.shutdown();
      },
      data: (_socket, chunk) => void (text += chunk.toString("latin1")),
      close: () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)),
      error: () => resolve(0),
    },
  });
  return promise;
}
