/** Every row and rule of docs/contract.md, section 2, over real HTTP, against the source and the compiled binary. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Claimed, NameLookup, Recovered, Revoked, Rotated, WhoAmI } from "../../src/api/names/names.ts";
import type { OpenedRoom, Post } from "../../src/api/rooms/rooms.ts";
import { isSecret } from "../../src/core/secrets.ts";
import { call, get, post, send, withoutId } from "../support/http.ts";
import { claim, holder } from "../support/names.ts";
import { startSource, type TestService } from "../support/service.ts";

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const key_form = /^wfk_[0-9A-Za-z]{49}$/;
const code_form = /^wfr_[0-9A-Za-z]{49}$/;

describe("names", () => {
  let service: TestService;
  let api: string;
  beforeAll(async () => {
    service = await startSource();
    api = `${service.url}/api/name`;
  });
  afterAll(() => service.stop());

  const whoami = (headers: Record<string, string>) => post<WhoAmI>(`${api}/whoami`, undefined, headers);
  const lookup = async (name: string) => (await get<NameLookup>(`${api}/${encodeURIComponent(name)}`)).body;

  describe("claiming", () => {
    test("returns a key and a recovery code once", async () => {
      const { status, headers, body } = await post<Claimed>(api, { name: "Ada Lovelace" });
      expect(status).toBe(201);
      expect(body).toEqual({
        name: "Ada Lovelace",
        created: expect.stringMatching(iso),
        key: expect.stringMatching(key_form),
        recovery_code: expect.stringMatching(code_form),
        keep: expect.stringContaining("once"),
        use: expect.stringContaining("x-wf-key"),
        receipt: expect.any(String),
      });
      expect(isSecret("wfk_", body.key!)).toBe(true);
      expect(isSecret("wfr_", body.recovery_code!)).toBe(true);
      expect(headers.get("cache-control")).toBe("no-store");
      const found = await get<NameLookup>(headers.get("location")!);
      expect(found.body.name).toBe("Ada Lovelace");
    });

    test("returns a Location that leads to the name, whatever the name ends in", async () => {
      const { headers } = await post(api, { name: "notes.md" });
      expect(await (await fetch(headers.get("location")!)).json()).toMatchObject({ name: "notes.md" });
    });

    test("refuses a claimed name in every spelling of it", async () => {
      await claim(service.url, "Go0d one");
      for (const name of ["Go0d one", "good-one", "GOOD_ONE", "go0d..0ne", "g0od - one"]) {
        const { status, body } = await post(api, { name });
        expect(status).toBe(409);
        expect(body).toMatchObject({ code: "name_taken", retryable: false });
        expect(body.hint).toContain("/api/name/recover");
      }
    });

    const fits = "may hold letters, their marks, digits";
    test.each([
      ["nothing", {}, "is required"],
      ["no text", { name: 7 }, "must be a string"],
      ["empty", { name: "" }, "must not be empty"],
      ["65 characters", { name: "x".repeat(65) }, "is 65 characters long; at most 64 fit"],
      [
        "a symbol",
        { name: "Zoë♥" },
        `${fits}, space, dot, dash and underscore, and begins and ends with a letter or digit: look at 3`,
      ],
      ["a slash", { name: "a/b" }, fits],
      ["a space at the end", { name: "ada " }, fits],
      ["a dash at the beginning", { name: "-ada" }, fits],
      ["a line end", { name: "ada\n" }, fits],
      ["two spaces, under which nobody can speak", { name: "Ada  Lovelace" }, "only single spaces"],
    ])("refuses %s", async (_what, body, message) => {
      const answer = await post(api, body);
      expect(answer.status).toBe(422);
      expect(answer.body.code).toBe("invalid_fields");
      expect(answer.body.errors).toEqual([{ path: "/name", message: expect.stringContaining(message) }]);
    });

    test("accepts 1 to 64 characters", async () => {
      await claim(service.url, "z");
      await claim(service.url, "Z".repeat(64));
    });

    test.each([
      ..."wharf admin administrator system root host house operator human overseer moderator".split(" "),
      ..."anonymous nobody whoami rotate recover revoke index R00T WHARF n0b0dy Rec0ver".split(" "),
    ])("refuses the reserved name %s", async (name) => {
      const { status, body } = await post(api, { name });
      expect(status).toBe(422);
      expect(body.code).toBe("name_reserved");
    });

    test("refuses a secret as a name, because names are public", async () => {
      const { key } = await claim(service.url, "careless");
      const { status, body } = await post(api, { name: key });
      expect(status).toBe(422);
      expect(body.code).toBe("contains_key");
    });

    test("claims once with an Idempotency-Key, and returns the same secrets again", async () => {
      const headers = { "idempotency-key": crypto.randomUUID() };
      const first = await post<Claimed>(api, { name: "Once" }, headers);
      const again = await post<Claimed>(api, { name: "Once" }, headers);
      expect(first.status).toBe(201);
      expect(again.status).toBe(201);
      expect(again.body).toEqual(first.body);
      expect((await whoami(holder("Once", first.body.key!).pair)).status).toBe(200);
      const other = await post(api, { name: "Twice" }, headers);
      expect(other).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
      expect((await post(api, { name: "Once" })).status).toBe(409);
    });
  });

  describe("looking up", () => {
    test("returns the name for any spelling", async () => {
      const { pair } = await claim(service.url, "Look 1t up");
      const found = await get<NameLookup>(`${api}/look-lt_UP`);
      expect(found.status).toBe(200);
      expect(found.body).toEqual({
        name: "Look 1t up",
        claimed: true,
        since: expect.stringMatching(iso),
        acts: 1,
        last: found.body.since,
        waiting: false,
        last_seen: `${found.body.since.slice(0, 16)}:00.000Z`,
        key_changed: found.body.since,
        reach: { by: "none" },
        note: expect.stringContaining("nothing about who or what it is"),
      });
      expect(await lookup("LOOK 1T UP")).toEqual(found.body);
      expect((await whoami(pair)).body).toEqual({ name: "Look 1t up", acts: 1 });
    });

    test("counts the calls of its holder", async () => {
      const { pair } = await claim(service.url, "Busy bee");
      const before = await lookup("busy-bee");
      const opened = await post<OpenedRoom>(
        `${service.url}/api/meet/rooms`,
        { goal: "Count me", name: "Busy bee" },
        pair,
      );
      expect(opened.body.host).toEqual({ name: "Busy bee", claimed: true });
      await post(`${opened.body.api}/posts`, { name: "busy-bee", body: "hello" }, pair);
      await call("PUT", `${service.url}/api/locker/a`, { value: "b" }, pair);
      await post(`${opened.body.api}/posts`, { name: "Busy bee", body: "refused: no key" });
      const after = await lookup("busy-bee");
      expect(after.acts).toBe(before.acts + 3);
      expect(after.last >= before.last).toBe(true);
      expect(after.key_changed).toBe(before.key_changed);
    });

    test("answers 404 for an unclaimed name, and says that it is unclaimed", async () => {
      for (const name of ["nobody-yet", "whoami", "héloïse", "a/b", "x".repeat(200)]) {
        const { status, body } = await get(`${api}/${encodeURIComponent(name)}`);
        expect(status).toBe(404);
        expect(body).toMatchObject({ code: "name_not_claimed", claimed: false, retryable: false });
      }
    });

    test("returns Markdown and a page, each with an ETag of its own", async () => {
      await claim(service.url, "Shown");
      const markdown = await send("GET", `${api}/shown`, { accept: "text/markdown" });
      expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(markdown.headers.get("vary")).toBe("Accept, Accept-Encoding");
      expect(markdown.body).toStartWith(`# The name "Shown"\n`);
      expect(markdown.body).toContain("1 act,");
      expect((await send("GET", `${service.url}/api/name/shown.md`)).body).toBe(markdown.body);
      expect((await send("GET", `${service.url}/name/shown.md`)).body).toStartWith(
        `${markdown.body}\n## Rooms`,
      );
      const page = await send("GET", `${service.url}/name/SHOWN`);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("content-security-policy")).toStartWith("default-src 'none'");
      expect(page.body).toMatch(/<h1 class="name">.*<bdi>Shown<\/bdi><\/h1>/);
      for (const path of ["/api/name/shown", "/api/name/shown.md", "/name/shown"]) {
        const etag = (await send("GET", service.url + path)).headers.get("etag")!;
        expect((await send("GET", service.url + path, { "if-none-match": etag })).status).toBe(304);
      }
      expect((await send("GET", `${service.url}/name/nobody-yet`)).status).toBe(404);
      expect((await send("GET", `${api}/shown`, { accept: "image/png" })).status).toBe(406);
    });

    test("links only to pages that exist", async () => {
      const { pair } = await claim(service.url, "Linked");
      await call("PUT", `${service.url}/api/locker/a`, { value: "b", public: true }, pair);
      const pages = [`${service.url}/name/linked`, `${service.url}/locker`];
      for (const page of pages) {
        const { body } = await send("GET", page);
        const links = Array.from(body.matchAll(/href="([^"]+)"/g), ([, href]) => new URL(href!, page).href);
        for (const link of new Set(links))
          expect((await send("GET", link, { accept: "text/html, */*" })).status, link).toBe(200);
      }
    });

    test("describes names without a credential", async () => {
      const { status, headers, body } = await get(api);
      expect(status).toBe(200);
      expect(headers.get("etag")).toBeTruthy();
      expect(body.what).toContain("proves that the holder of a secret is back, and nothing more");
      expect(JSON.stringify(body)).toContain(`POST ${api}`);
    });
  });

  describe("authentication by key", () => {
    test("accepts a name and key pair in any spelling, a bearer key, or x-wf-key alone", async () => {
      const { pair, bearer, key } = await claim(service.url, "Known 10");
      for (const headers of [
        pair,
        { ...pair, "x-wf-name": "KNOWN-lo" },
        bearer,
        { authorization: `bearer  ${key} ` },
        { "x-wf-key": key },
        { ...pair, ...bearer },
      ]) {
        const { status, body } = await whoami(headers);
        expect(status).toBe(200);
        expect(body).toEqual({ name: "Known 10", acts: 1 });
      }
    });

    test("answers 401 to a wrong credential, also if none is needed", async () => {
      const { pair, key } = await claim(service.url, "Right");
      const other = await claim(service.url, "Other");
      const last = key.at(-1) === "0" ? "1" : "0";
      const wrong: Record<string, string>[] = [
        { ...pair, "x-wf-key": other.key },
        { ...pair, "x-wf-name": "Other" },
        { ...pair, "x-wf-name": "unclaimed" },
        { ...pair, "x-wf-name": "" },
        { ...pair, "x-wf-key": "" },
        { ...pair, "x-wf-key": key.slice(0, -1) + last },
        { "x-wf-name": "Right" },
        { authorization: "Bearer wfk_nonsense" },
        { authorization: "Bearer" },
        { authorization: `Bearer ${key} ${key}` },
        { authorization: `Bearer ${other.key}`, "x-wf-key": key },
        { ...pair, authorization: `Bearer ${other.key}` },
      ];
      for (const headers of wrong) {
        for (const [method, url] of [
          ["POST", `${api}/whoami`],
          ["GET", `${api}/right`],
          ["GET", `${service.url}/api/meet/rooms`],
          ["GET", `${service.url}/meet`],
        ] as const) {
          const answer = await send(method, url, headers);
          expect(answer.status, `${method} ${url} ${Object.keys(headers).join()}`).toBe(401);
          expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="wharf"');
          expect(answer.body).toContain("unknown_credential");
        }
      }
    });

    test("reports a mistyped key by its checksum, and no difference between an unknown name and a wrong key", async () => {
      const { pair, key } = await claim(service.url, "Typist");
      const hint = async (shown: string) => {
        const { body } = await post(`${api}/whoami`, undefined, { ...pair, "x-wf-key": shown });
        return String(body.hint);
      };
      const swapped = key.slice(0, 10) + (key[10] === "a" ? "b" : "a") + key.slice(11);
      for (const mistyped of [swapped, key.slice(0, -1), key.toUpperCase(), "hunter2"]) {
        expect(await hint(mistyped)).toContain("checksum");
      }
      const { key: other } = await claim(service.url, "Somebody else");
      expect(await hint(other)).not.toContain("checksum");
      const unknown = await whoami({ "x-wf-name": "unclaimed", "x-wf-key": other });
      const wrong = await whoami({ "x-wf-name": "Typist", "x-wf-key": other });
      expect(withoutId(unknown.body)).toEqual(withoutId(wrong.body));
    });

    test("ignores other Authorization schemes", async () => {
      expect((await get(api, { authorization: "Basic YTpi" })).status).toBe(200);
    });

    test("requires a credential for whoami and rotate", async () => {
      for (const path of ["whoami", "rotate"]) {
        const { status, headers, body } = await post(`${api}/${path}`);
        expect(status).toBe(401);
        expect(headers.get("www-authenticate")).toBe('Bearer realm="wharf"');
        expect(body).toMatchObject({ code: "credential_required" });
        expect(body.hint).toContain("x-wf-key");
      }
    });
  });

  describe("changing a key", () => {
    test("rotate returns a new key once, and refuses the old key from then on", async () => {
      const { pair } = await claim(service.url, "Rotated");
      const { status, body } = await post<Rotated>(`${api}/rotate`, undefined, pair);
      expect(status).toBe(200);
      expect(body).toEqual({
        name: "Rotated",
        created: expect.stringMatching(iso),
        key: expect.stringMatching(key_form),
        key_changed: expect.stringMatching(iso),
        keep: expect.any(String),
        use: expect.any(String),
      });
      const renewed = holder("Rotated", body.key!);
      expect((await whoami(pair)).status).toBe(401);
      expect((await whoami(renewed.pair)).body).toEqual({ name: "Rotated", acts: 2 });
      expect((await post(`${api}/rotate`, undefined, pair)).status).toBe(401);
      expect((await lookup("rotated")).key_changed).toBe(body.key_changed);
    });

    test("rotate with an Idempotency-Key returns no second key, whichever key the repetition sends", async () => {
      const { pair } = await claim(service.url, "Rotated once");
      const headers = { "idempotency-key": crypto.randomUUID() };
      const first = await post<Rotated>(`${api}/rotate`, undefined, { ...pair, ...headers });
      const renewed = holder("Rotated once", first.body.key!).pair;
      for (const shown of [pair, renewed]) {
        const again = await post<Rotated>(`${api}/rotate`, undefined, { ...shown, ...headers });
        expect(again).toMatchObject({ status: 200, body: first.body });
      }
      expect((await whoami(renewed)).status).toBe(200);
    });

    test("recover exchanges the code for a new key and a new code, and refuses both old ones", async () => {
      const { pair, recovery_code } = await claim(service.url, "Lost");
      const recover = (code: string, name = "lost") =>
        post<Recovered>(`${api}/recover`, { name, recovery_code: code });
      const { status, body } = await recover(recovery_code);
      expect(status).toBe(200);
      expect(body).toEqual({
        name: "Lost",
        created: expect.stringMatching(iso),
        key: expect.stringMatching(key_form),
        recovery_code: expect.stringMatching(code_form),
        key_changed: expect.stringMatching(iso),
        keep: expect.any(String),
        use: expect.any(String),
      });
      expect((await whoami(pair)).status).toBe(401);
      expect((await whoami(holder("Lost", body.key!).pair)).status).toBe(200);
      const refused = { status: 403, body: { code: "wrong_recovery_code" } };
      expect(await recover(recovery_code)).toMatchObject(refused);
      expect(await recover(body.key!)).toMatchObject(refused);
      expect(await recover(body.recovery_code!, "unclaimed")).toMatchObject(refused);
      expect((await recover(body.recovery_code!)).status).toBe(200);
    });

    test("recover with an Idempotency-Key takes place once, and returns the same secrets again", async () => {
      const { recovery_code } = await claim(service.url, "Lost once");
      const headers = { "idempotency-key": crypto.randomUUID() };
      const sent = { name: "Lost once", recovery_code };
      const first = await post<Recovered>(`${api}/recover`, sent, headers);
      const again = await post<Recovered>(`${api}/recover`, sent, headers);
      expect(again.body).toEqual(first.body);
    });

    test("revoke disables a key for its holder until the name is recovered", async () => {
      const { pair, bearer, key, recovery_code } = await claim(service.url, "Leaked");
      const headers = { "idempotency-key": crypto.randomUUID() };
      const revoke = () => post<Revoked>(`${api}/revoke`, { key }, headers);
      const { status, body } = await revoke();
      expect(status).toBe(200);
      expect(body).toEqual({
        name: "Leaked",
        revoked: true,
        key_changed: expect.stringMatching(iso),
        next: expect.stringContaining("/api/name/recover"),
      });
      expect((await revoke()).body).toEqual(body);
      for (const dead of [pair, bearer]) expect((await whoami(dead)).status).toBe(401);
      for (const nobodys of [key, "wfk_nonsense"]) {
        const refused = await post(`${api}/revoke`, { key: nobodys });
        expect(refused).toMatchObject({ status: 401, body: { code: "unknown_credential" } });
      }
      // Not even the value that the comparison uses if there is no key.
      for (const key of ["", "null", "undefined", "nothing is stored"]) {
        expect((await whoami({ "x-wf-name": "Leaked", "x-wf-key": key })).status, key).toBe(401);
      }
      expect((await post(api, { name: "leaked" })).status).toBe(409);
      const recovered = await post<Recovered>(`${api}/recover`, { name: "leaked", recovery_code });
      expect((await whoami(holder("Leaked", recovered.body.key!).pair)).status).toBe(200);
    });

    test("lets a new key redact a post that the old key made, and refuses the old key", async () => {
      const { pair } = await claim(service.url, "Stays");
      const room = (
        await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal: "Stay", name: "Stays" }, pair)
      ).body;
      const said = await post<Post>(`${room.api}/posts`, { name: "Stays", body: "I" }, pair);
      const { body } = await post<Rotated>(`${api}/rotate`, undefined, pair);
      const renewed = holder("Stays", body.key!).pair;
      expect((await post(`${room.api}/posts`, { name: "Stays", body: "old key" }, pair)).status).toBe(401);
      const redacted = await call<Post>("DELETE", `${room.api}/posts/${said.body.id}`, undefined, renewed);
      expect(redacted.body.redacted).toBe("author");
    });
  });
});

test("returns the times of the claim, of the last write and of the last key", async () => {
  const service = await startSource();
  const { pair } = await claim(service.url, "Timed");
  service.clock.advance(60);
  const rotated = await post<Rotated>(`${service.url}/api/name/rotate`, undefined, pair);
  service.clock.advance(60);
  const renewed = holder("Timed", rotated.body.key!).pair;
  await call("PUT", `${service.url}/api/locker/a`, { value: "b" }, renewed);
  expect((await get(`${service.url}/api/name/timed`)).body).toMatchObject({
    since: "2026-03-01T12:00:00.000Z",
    key_changed: "2026-03-01T12:01:00.000Z",
    last: "2026-03-01T12:02:00.000Z",
    acts: 3,
  });
  await service.stop();
});
