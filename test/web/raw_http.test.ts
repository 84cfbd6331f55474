/** Requests that no client library sends: unknown methods, tunnels, and requests behind an unanswered one. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Post, RoomRead } from "../../src/api/rooms/rooms.ts";
import { get, post } from "../support/http.ts";
import { rawRequest } from "../support/raw.ts";
import { open, type Opened } from "../support/rooms.ts";
import { ways, type TestService } from "../support/service.ts";

/** Part of each target. No answer may contain it. */
const canary = "canary-4711";

describe.each(ways)("raw requests (%s)", (_way, start) => {
  let service: TestService;
  let room: Opened;
  beforeAll(async () => {
    service = await start();
    room = await open(service.url, "Raw requests");
  });
  afterAll(() => service.stop());

  const send = (line: string, ...headers: string[]) =>
    rawRequest(service.url, [`${line} HTTP/1.1`, "Host: localhost", ...headers, "", ""]);

  describe("a method that the service does not know", () => {
    test.each([
      `TRACE /${canary}`,
      `PROPFIND /api/meet/rooms/${canary}`,
      `QUERY /api/meet/rooms?q=${canary}`,
      `SOURCE /mcp/meet/${canary}`,
      `CONNECT ${canary}.example:443`,
      `CONNECT ${canary}/a/b`,
      `CONNECT /api/${canary}`,
      `CONNECT http-${canary}:80`,
      `CONNECT %zz${canary}`,
    ])("%s gets 501, which closes the connection and never shows the target", async (line) => {
      for (const headers of [[], ["Accept: text/html"]]) {
        const answer = await send(line, ...headers);
        expect(answer.status).toBe(501);
        expect(answer.headers.toLowerCase()).toContain("connection: close");
        expect(answer.headers + answer.body).not.toContain(canary);
      }
      const answer = await send(line);
      expect(answer.headers.toLowerCase()).toContain("content-type: application/problem+json");
      expect(JSON.parse(answer.body)).toMatchObject({
        code: "unknown_method",
        status: 501,
        retryable: false,
        hint: expect.stringContaining("GET"),
      });
      expect(service.output()).not.toContain(canary);
      expect(service.output()).not.toContain('"level":"error"');
    });

    // Bun routes a fixed list of methods, and closes the connection for any other before a handler runs.
    test.each(["FOO /", "get /healthz", `BREW /${canary}`])(
      "closes the connection without an answer to %s",
      async (line) => {
        expect(await send(line)).toEqual({ status: 0, headers: "", body: "" });
        expect(service.output()).not.toContain(canary);
        expect((await get(`${service.url}/healthz`)).status).toBe(200);
      },
    );
  });

  describe("a request behind another on the same connection", () => {
    const health = (...headers: string[]) => ["GET /healthz HTTP/1.1", "Host: localhost", ...headers, "", ""];

    test("is answered after it if that one is answered at once", async () => {
      const answer = await rawRequest(service.url, [
        ...health().slice(0, -1),
        ...health().slice(0, -1),
        ...health("Connection: close"),
      ]);
      expect(answer.headers + answer.body).toMatch(/^(?:HTTP\/1\.1 200 OK[^{]*\{"status":"ok"\}[^H]*){2}/);
      expect(`${answer.headers}\r\n${answer.body}`.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    });

    // Bun closes a connection if a request arrives while an earlier one is unanswered, before any handler runs.
    test("ends the connection if a post is not yet answered; the post is stored once and can be repeated", async () => {
      const said = { name: "Ada", body: `said ${crypto.randomUUID()}` };
      const body = JSON.stringify(said);
      const key = crypto.randomUUID();
      const { pathname } = new URL(`${room.api}/posts`);
      const answer = await rawRequest(service.url, [
        `POST ${pathname} HTTP/1.1`,
        "Host: localhost",
        "Content-Type: application/json",
        `Content-Length: ${Buffer.byteLength(body)}`,
        `Idempotency-Key: ${key}`,
        "",
        body + health().join("\r\n"),
      ]);
      expect(answer.status).toBe(0);
      const sendAgain = () => post<Post>(`${room.api}/posts`, said, { "idempotency-key": key });
      let again = await sendAgain();
      // The first call may still be running.
      while (again.status === 409) again = await sendAgain();
      expect(again.status).toBe(201);
      const { posts } = (await get<RoomRead>(room.api)).body;
      expect(posts.filter(({ body }) => body === said.body).map(({ id }) => id)).toEqual([again.body.id]);
    });
  });
});
