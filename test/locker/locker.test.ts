/** Every row and rule of docs/contract.md, section 3, over real HTTP, against the source and the compiled binary. */

import { quoted_notice } from "../../src/core/text_form.ts";
import { quotesIn } from "../support/text_form.ts";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locker, LockerIndex, PublicSlot, Slot, SlotWritten } from "../../src/api/locker/locker.ts";
import type { OpenedRoom } from "../../src/api/rooms/rooms.ts";
import { privateValue } from "../support/canaries.ts";
import { call, get, post, send, withoutId } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, ways, type TestService } from "../support/service.ts";
import { locker_limits } from "../../src/api/limits.ts";

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const quota = { slots: 64, bytes_per_slot: 32_768, bytes_total: 262_144 };

describe.each(ways)("locker (%s)", (_way, start) => {
  let service: TestService;
  let api: string;
  let ada: Holder;
  beforeAll(async () => {
    service = await start();
    api = `${service.url}/api/locker`;
    ada = await claim(service.url, "Ada");
  });
  afterAll(() => service.stop());

  let names = 0;
  /** A name with an empty locker. */
  const newcomer = () => claim(service.url, `Newcomer ${++names}`);
  const put = (slot: string, body: unknown, who: Holder = ada, headers: Record<string, string> = {}) =>
    call<SlotWritten & { code?: string; errors?: object[] }>("PUT", `${api}/${slot}`, body, {
      ...who.pair,
      ...headers,
    });
  const read = (slot: string, who: Holder = ada, headers: Record<string, string> = {}) =>
    get<Slot>(`${api}/${slot}`, { ...who.pair, ...headers });
  const remove = (slot: string, who: Holder = ada, headers: Record<string, string> = {}) =>
    call("DELETE", `${api}/${slot}`, undefined, { ...who.pair, ...headers });
  const list = async (who: Holder = ada, query = "") => (await get<Locker>(api + query, who.pair)).body;
  const putText = (slot: string, text: string, query = "", headers: Record<string, string> = {}) =>
    send("PUT", `${api}/${slot}${query}`, { "content-type": "text/plain", ...ada.pair, ...headers }, text);

  describe("writing and reading", () => {
    test("answers 201 for a new slot and 200 for a replaced one, and returns the value as written", async () => {
      const who = await newcomer();
      const value = `${privateValue()} 😀\r\n\t"`;
      const written = await put("notes", { value }, who);
      const bytes = Buffer.byteLength(value);
      expect(written.status).toBe(201);
      expect(written.body).toEqual({
        slot: "notes",
        bytes,
        public: false,
        updated: expect.stringMatching(iso),
        version: 1,
        slots_used: 1,
        used_bytes: bytes,
        limits: quota,
        slot_name_is_public: true,
      });
      const got = await read("notes", who);
      expect(got.status).toBe(200);
      const { updated } = written.body;
      expect(got.body).toEqual({ slot: "notes", value, public: false, updated, bytes, version: 1 });
      expect(got.headers.get("etag")).toBe(written.headers.get("etag"));
      const again = await put("notes", { value: "" }, who);
      expect(again.status).toBe(200);
      expect(again.body).toMatchObject({ version: 2, bytes: 0, slots_used: 1, used_bytes: 0 });
      expect(again.headers.get("etag")).not.toBe(written.headers.get("etag"));
      expect((await read("notes", who)).body.value).toBe("");
    });

    test("lists slots without values", async () => {
      const who = await newcomer();
      const secret = await put("b", { value: privateValue() }, who);
      await put("a", { value: "x", public: true, expires_in: 3600 }, who);
      const { status, headers, body } = await get<Locker>(api, who.pair);
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(body).toEqual({
        name: who.name,
        slots: [
          {
            slot: "a",
            public: true,
            bytes: 1,
            updated: expect.stringMatching(iso),
            version: 1,
            etag: expect.stringMatching(/^"[\w-]+"$/),
            expires_at: expect.stringMatching(iso),
          },
          {
            slot: "b",
            public: false,
            bytes: 51,
            updated: secret.body.updated,
            version: 1,
            etag: secret.headers.get("etag")!,
          },
        ],
        slots_used: 2,
        used_bytes: 52,
        limits: quota,
        next: null,
      });
      expect((await get<Locker>(api, who.bearer)).body).toEqual(body);
      const first = await list(who, "?limit=1");
      expect(first.slots.map(({ slot }) => slot)).toEqual(["a"]);
      expect(first).toMatchObject({ slots_used: 2, used_bytes: 52 });
      const second = await list(who, `?limit=1&cursor=${first.next}`);
      expect(second.slots.map(({ slot }) => slot)).toEqual(["b"]);
      expect(second.next).toBeNull();
      expect((await get(`${api}?cursor=x`, who.pair)).status).toBe(422);
    });

    test("describes lockers if the list is read without a credential", async () => {
      const { status, headers, body } = await get(api);
      expect(status).toBe(200);
      expect(headers.get("etag")).toBeTruthy();
      expect(body.what).toContain("names of slots are listed for everybody");
      expect(body.private).toContain("It is not encrypted: whoever runs this service can.");
      expect(body.limits).toEqual(quota);
    });

    test("requires a credential for every other call", async () => {
      for (const [method, body] of [["GET"], ["PUT", { value: "x" }], ["DELETE"]] as const) {
        const { status, body: problem } = await call(method, `${api}/notes`, body);
        expect(status).toBe(401);
        expect(problem.code).toBe("credential_required");
      }
    });

    test("deletes a slot once", async () => {
      await put("gone", { value: "x" });
      expect(await remove("gone")).toMatchObject({ status: 200, body: { slot: "gone", deleted: true } });
      expect((await read("gone")).status).toBe(404);
      const again = await remove("gone");
      expect(again).toMatchObject({ status: 404, body: { code: "slot_not_found" } });
      const anew = await put("gone", { value: "x" });
      expect(anew).toMatchObject({ status: 201, body: { version: 1 } });
    });

    test.each<[string, unknown, string]>([
      ["nothing", {}, "/value"],
      ["a value that is no text", { value: 5 }, "/value"],
      ["NUL in a value", { value: "\0" }, "/value"],
      ["half a surrogate pair", { value: "\ud83d" }, "/value"],
      ["public in words", { value: "x", public: "yes" }, "/public"],
      ["an end in the past", { value: "x", expires_in: 0 }, "/expires_in"],
      ["an end in a fraction", { value: "x", expires_in: 1.5 }, "/expires_in"],
      ["an end in eleven years", { value: "x", expires_in: 11 * 366 * 86_400 }, "/expires_in"],
      ["a version below 0", { value: "x", expected_version: -1 }, "/expected_version"],
    ])("refuses %s", async (_what, body, path) => {
      const { status, body: problem } = await put("refused", body);
      expect(status).toBe(422);
      expect(problem.errors).toEqual([{ path, message: expect.any(String) }]);
      expect((await read("refused")).status).toBe(404);
    });
  });

  describe("the names of slots", () => {
    test.each(["a", "0", "a/b", "deep/er/still.md", "A.b-c_d", "index/1", "Index", "x".repeat(64)])(
      "accepts %s",
      async (slot) => {
        expect((await put(slot, { value: slot })).status).toBe(201);
        expect((await read(slot)).body).toMatchObject({ slot, value: slot });
        expect((await read(encodeURIComponent(slot))).body.value).toBe(slot);
        expect((await remove(encodeURIComponent(slot))).body).toEqual({ slot, deleted: true });
      },
    );

    test.each(["-a", "a-", ".a", "_", "%2Fa", "a%20b", "caf%C3%A9", "a%252Fb", "x".repeat(65), "index"])(
      "refuses %s",
      async (slot) => {
        const { status, body } = await put(slot, { value: "x" });
        expect(status).toBe(422);
        expect(body.errors).toEqual([{ path: "slot", message: expect.any(String) }]);
      },
    );

    test("distinguishes upper and lower case", async () => {
      await put("Case", { value: "upper" });
      await put("case", { value: "lower" });
      expect((await read("Case")).body.value).toBe("upper");
      expect((await read("case")).body.value).toBe("lower");
    });

    test("treats an address with a trailing slash as the same resource", async () => {
      await put("slashed", { value: "x" });
      expect((await read("slashed/")).body.value).toBe("x");
      expect((await get<Locker>(`${api}/`, ada.pair)).body.name).toBe("Ada");
      expect((await get<LockerIndex>(`${api}/index/`)).status).toBe(200);
    });

    test("refuses a secret as a slot name, because slot names are public", async () => {
      const { status, body } = await put(ada.key, { value: "x" });
      expect(status).toBe(422);
      expect(body.code).toBe("contains_key");
    });

    test("returns an address that leads to the public slot, also with dots in its name", async () => {
      await put("b", { value: "another slot", public: true });
      for (const slot of ["a/../b", "a/./b", "a//b", "a.b/c"]) {
        const written = await put(encodeURIComponent(slot), { value: slot, public: true });
        expect(written.status).toBe(201);
        expect((await get<PublicSlot>(written.body.public_url!)).body.slot).toBe(slot);
      }
    });
  });

  describe("text instead of JSON", () => {
    test("takes the value from a text/plain body and the other fields from the query", async () => {
      const written = await putText(
        "text",
        "  bare\nté😀xt ",
        "?public=true&expires_in=3600&expected_version=0",
      );
      expect(written.status).toBe(201);
      expect(JSON.parse(written.body)).toMatchObject({
        public: true,
        bytes: 17,
        expires_at: expect.stringMatching(iso),
      });
      const got = await send("GET", `${api}/text`, { ...ada.pair, accept: "text/plain" });
      expect(got.body).toBe("  bare\nté😀xt ");
      expect(got.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(got.headers.get("content-security-policy")).toContain("sandbox");
      expect(got.headers.get("x-content-type-options")).toBe("nosniff");
      expect((await putText("text", "", "?public=false")).status).toBe(200);
      expect((await read("text")).body).toMatchObject({ value: "", public: false });
      const stale = await putText("text", "x", "?expected_version=1");
      expect(stale.status).toBe(412);
    });

    test.each([
      ["?public=yes", "/public"],
      ["?expires_in=soon", "/expires_in"],
      ["?expires_in=", "/expires_in"],
      ["?expires_in=0x10", "/expires_in"],
      ["?expected_version=-1", "/expected_version"],
    ])("refuses %s", async (query, path) => {
      const { status, body } = await putText("text", "x", query);
      expect(status).toBe(422);
      expect(JSON.parse(body).errors).toEqual([{ path, message: expect.any(String) }]);
    });

    test("refuses invalid UTF-8 and other media types", async () => {
      const broken = await fetch(`${api}/text`, {
        method: "PUT",
        headers: { "content-type": "text/plain", ...ada.pair },
        body: Buffer.from([0x61, 0xff]),
      });
      expect(broken.status).toBe(400);
      const form = { "content-type": "application/x-www-form-urlencoded", ...ada.pair };
      expect((await send("PUT", `${api}/text`, form, "value=x")).status).toBe(415);
    });
  });

  describe("preconditions", () => {
    const etagOf = async (slot: string) => (await read(slot)).headers.get("etag")!;

    test("writes with If-Match only over the version with that ETag", async () => {
      const first = (await put("matched", { value: "1" })).headers.get("etag")!;
      const second = (await put("matched", { value: "2" }, ada, { "if-match": first })).headers.get("etag")!;
      const late = await put("matched", { value: "3" }, ada, { "if-match": first });
      expect(late.status).toBe(412);
      expect(late.body).toMatchObject({ code: "precondition_failed", version: 2 });
      expect((await read("matched")).body.value).toBe("2");
      const conditions = [`W/${second}`, '"other"', `"other", ${second}`, "*"];
      const statuses = [];
      for (const condition of conditions) {
        statuses.push((await put("matched", { value: "4" }, ada, { "if-match": condition })).status);
      }
      expect(statuses).toEqual([412, 412, 200, 200]);
      for (const condition of ["*", second]) {
        expect((await put("missing", { value: "x" }, ada, { "if-match": condition })).status).toBe(412);
      }
      expect((await read("missing")).status).toBe(404);
    });

    test("accepts the ETag of the plain text in If-Match", async () => {
      await put("as-text", { value: "1" });
      const text = await send("GET", `${api}/as-text`, { ...ada.pair, accept: "text/plain" });
      const etag = text.headers.get("etag")!;
      expect(etag).not.toBe(await etagOf("as-text"));
      expect((await put("as-text", { value: "2" }, ada, { "if-match": etag })).status).toBe(200);
      expect((await put("as-text", { value: "3" }, ada, { "if-match": etag })).status).toBe(412);
    });

    test("accepts the ETag of a compressed answer in If-Match", async () => {
      const value = "long ".repeat(1_000);
      for (const encoding of ["zstd", "br", "gzip"]) {
        for (const accept of ["application/json", "text/plain", "text/markdown"]) {
          await put("packed", { value });
          const headers = { ...ada.pair, accept, "accept-encoding": encoding };
          const etag = (await send("GET", `${api}/packed`, headers)).headers.get("etag")!;
          expect(etag).toEndWith(`-${encoding}"`);
          expect((await put("packed", { value }, ada, { "if-match": etag })).status).toBe(200);
          expect((await remove("packed", ada, { "if-match": etag })).status).toBe(412);
        }
      }
    });

    test("writes with If-None-Match: * only if the slot does not exist", async () => {
      const headers = { "if-none-match": "*" };
      expect((await put("fresh", { value: "1" }, ada, headers)).status).toBe(201);
      expect((await put("fresh", { value: "2" }, ada, headers)).status).toBe(412);
      expect((await read("fresh")).body.value).toBe("1");
    });

    test("writes with expected_version only over that version, where 0 is a missing slot", async () => {
      expect((await put("counted", { value: "1", expected_version: 1 })).status).toBe(412);
      expect((await put("counted", { value: "1", expected_version: 0 })).status).toBe(201);
      expect((await put("counted", { value: "2", expected_version: 0 })).status).toBe(412);
      expect((await put("counted", { value: "2", expected_version: 1 })).body.version).toBe(2);
      expect((await put("counted", { value: "3", expected_version: 1 })).status).toBe(412);
    });

    test("DELETE honours If-Match", async () => {
      const etag = (await put("kept", { value: "1" })).headers.get("etag")!;
      expect((await remove("kept", ada, { "if-match": '"other"' })).status).toBe(412);
      expect((await remove("kept", ada, { "if-match": etag })).status).toBe(200);
    });

    test("accepts one of two concurrent writes with the same If-Match", async () => {
      let etag = (await put("raced", { value: "start" })).headers.get("etag")!;
      for (let round = 0; round < 25; round++) {
        const racers = ["a", "b"].map((value) => put("raced", { value }, ada, { "if-match": etag }));
        const answers = await Promise.all(racers);
        const won = answers.filter(({ status }) => status === 200);
        expect(won).toHaveLength(1);
        expect(answers.find((answer) => answer !== won[0])!.status).toBe(412);
        etag = won[0]!.headers.get("etag")!;
      }
    });

    test("gives a slot that is created again a new ETag", async () => {
      const old = (await put("reborn", { value: "1" })).headers.get("etag")!;
      await remove("reborn");
      await put("reborn", { value: "1" });
      expect((await put("reborn", { value: "2" }, ada, { "if-match": old })).status).toBe(412);
    });
  });

  describe("quotas", () => {
    test("accepts 32768 bytes of UTF-8 in a slot, and refuses more", async () => {
      const who = await newcomer();
      const full = "é".repeat(16_384);
      expect((await put("full", { value: full }, who)).body.bytes).toBe(32_768);
      const refused = await put("full", { value: `${full}!` }, who);
      expect(refused.status).toBe(413);
      expect(refused.body).toMatchObject({
        code: "slot_too_large",
        detail: "The value has 32769 bytes; at most 32768 fit in a slot.",
      });
      expect((await read("full", who)).body.value).toBe(full);
      const control = "\u0001".repeat(32_768);
      expect((await put("escaped", { value: control }, who)).status).toBe(201);
      expect((await read("escaped", who)).body.value).toBe(control);
      expect((await put("huge", { value: "x".repeat(300_000) }, who)).body.code).toBe("body_too_large");
    });

    test("accepts 262144 bytes in a locker, and changes nothing if a write is refused", async () => {
      const who = await newcomer();
      const full = "x".repeat(32_768);
      for (let i = 0; i < 8; i++) expect((await put(`s${i}`, { value: full }, who)).status).toBe(201);
      const before = await list(who);
      expect(before.used_bytes).toBe(262_144);
      const refused = await put("one-more", { value: "!" }, who);
      expect(refused.status).toBe(413);
      expect(refused.body.code).toBe("locker_full");
      expect(await list(who)).toEqual(before);
      expect((await put("nothing", { value: "" }, who)).status).toBe(201);
      expect((await put("s0", { value: "x" }, who)).body.used_bytes).toBe(262_144 - 32_767);
      expect((await put("one-more", { value: "!" }, who)).status).toBe(201);
      expect((await put("s0", { value: full }, who)).body.code).toBe("locker_full");
      await remove("s1", who);
      expect((await put("s0", { value: full }, who)).status).toBe(200);
    });

    test("accepts 64 slots in a locker, also with concurrent writes", async () => {
      const who = await newcomer();
      const racers = Array.from({ length: 80 }, (_, i) => put(`s${i}`, { value: "x" }, who));
      const answers = await Promise.all(racers);
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(16);
      for (const { status, body } of refused) {
        expect(status).toBe(409);
        expect(body.code).toBe("locker_slots_full");
      }
      const { slots, slots_used } = await list(who);
      expect(slots_used).toBe(64);
      expect(slots).toHaveLength(64);
      expect((await put(slots[0]!.slot, { value: "replaced" }, who)).status).toBe(200);
      await remove(slots[1]!.slot, who);
      expect((await put("another", { value: "x" }, who)).status).toBe(201);
    });

    test("never exceeds the bytes of a locker with concurrent writes", async () => {
      const who = await newcomer();
      const full = "x".repeat(32_768);
      const racers = Array.from({ length: 12 }, (_, i) => put(`s${i}`, { value: full }, who));
      const statuses = (await Promise.all(racers)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(8);
      expect(statuses.filter((status) => status === 413)).toHaveLength(4);
      expect((await list(who)).used_bytes).toBe(262_144);
    });
  });

  describe("public and private", () => {
    test("shows a public slot whole, also if its page is large and not compressed", async () => {
      const written = await put("shown/long", { value: "&".repeat(30_000), public: true });
      const headers = { accept: "text/html", "accept-encoding": "identity" };
      const page = await (await fetch(written.body.public_url!, { headers })).text();
      expect(page.length).toBeGreaterThan(100_000);
      expect(page).toEndWith("</html>");
    });

    test("returns a public slot without a key: as JSON, as inert text and as a page", async () => {
      const value = "<script>alert(1)</script> & ​more";
      const written = await put("shown/it", { value, public: true });
      expect(written.body).toMatchObject({
        public: true,
        public_url: `${service.url}/locker/Ada/shown/it`,
        warning: expect.stringContaining("anybody"),
      });
      const url = written.body.public_url!;
      const json = await get<PublicSlot>(url);
      expect(json.body).toEqual({
        owner: "Ada",
        slot: "shown/it",
        value,
        updated: written.body.updated,
        public: true,
        treat_as: expect.stringContaining("data"),
      });
      const text = await send("GET", url, { accept: "text/plain" });
      expect(text.body).toBe(value);
      expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(text.headers.get("content-security-policy")).toContain("sandbox");
      expect(text.headers.get("x-content-type-options")).toBe("nosniff");
      const page = await send("GET", url, { accept: "text/html,*/*;q=0.8" });
      expect(page.headers.get("content-security-policy")).toStartWith("default-src 'none'");
      expect(page.body).toContain("&lt;script&gt;alert(1)&lt;/script&gt; &amp; [U+200B]more");
      const markdown = await send("GET", url, { accept: "text/markdown" });
      expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(quotesIn(markdown.body)).toEqual([value]);
      expect(markdown.body).toContain(quoted_notice);
      expect((await send("GET", `${url}.md`)).body).toBe(markdown.body);
      await put("shown/it.md", { value: "itself", public: true });
      expect((await get(`${url}.md`)).body).toMatchObject({ slot: "shown/it.md", value: "itself" });
      for (const { headers } of [json, text, page, markdown])
        expect(headers.get("vary")).toBe("Accept, Accept-Encoding");
      expect((await send("GET", url, { accept: "image/png" })).status).toBe(406);
      expect((await get<PublicSlot>(`${service.url}/locker/aDA/shown%2Fit`)).body).toEqual(json.body);
      for (const accept of ["application/json", "text/plain", "text/html"]) {
        const etag = (await send("GET", url, { accept })).headers.get("etag")!;
        expect((await send("GET", url, { accept, "if-none-match": etag })).status).toBe(304);
      }
    });

    test("shows a value in a fixed font, and one of a slot whose name ends with .md as Markdown", async () => {
      const value = "# A <title>\n\n`a`  b";
      const pageOf = async (slot: string) => {
        await put(slot, { value, public: true });
        return (await send("GET", `${service.url}/locker/ada/${slot}`, { accept: "text/html" })).body;
      };
      expect(await pageOf("looks/plain.txt")).toContain(
        '<pre class="value" tabindex="0"># A &lt;title&gt;\n\n`a`  b</pre>',
      );
      for (const slot of ["looks/guide.md", "looks/guide.Markdown"]) {
        const page = await pageOf(slot);
        expect(page).toContain('<h3 dir="auto">A &lt;title&gt;</h3>');
        expect(page).toContain("<code>a</code>");
      }
    });

    test("answers the same for a private slot and a missing one", async () => {
      await put("closed", { value: privateValue() });
      const stranger = await newcomer();
      for (const headers of [{}, ada.pair, stranger.pair]) {
        const hidden = await get(`${service.url}/locker/ada/closed`, headers);
        const missing = await get(`${service.url}/locker/ada/missing`, headers);
        const nobody = await get(`${service.url}/locker/unclaimed/closed`, headers);
        expect(hidden.status).toBe(404);
        expect(withoutId(hidden.body)).toEqual(withoutId(missing.body));
        expect(withoutId(hidden.body)).toEqual(withoutId(nobody.body));
        expect([...hidden.headers.keys()]).toEqual([...missing.headers.keys()]);
      }
      const own = await read("closed", stranger);
      expect(withoutId(own.body)).toEqual(withoutId((await read("missing", stranger)).body));
    });

    test("hides a slot at once when it is made private", async () => {
      const url = (await put("wavering", { value: "x", public: true })).body.public_url!;
      expect((await get(url)).status).toBe(200);
      await put("wavering", { value: "x" });
      expect((await get(url)).status).toBe(404);
      await put("wavering", { value: "x", public: true });
      await remove("wavering");
      expect((await get(url)).status).toBe(404);
    });

    test("accepts a secret in a private slot, and refuses it in a public one", async () => {
      const room = await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal: "Key", name: "x" });
      for (const secret of [ada.key, ada.recovery_code, room.body.host_key!]) {
        const value = `mine: ${secret}.`;
        expect((await put("keys", { value })).status).toBeLessThan(300);
        const refused = await put("keys", { value, public: true });
        expect(refused.status).toBe(422);
        expect(refused.body.code).toBe("contains_key");
        expect((await get(`${service.url}/locker/ada/keys`)).status).toBe(404);
        const as_text = await putText("keys", value, "?public=true");
        expect(as_text.status).toBe(422);
      }
    });

    test("forbids shared caches to store answers to the owner", async () => {
      const written = await put("cached", { value: privateValue() });
      expect(written.headers.get("cache-control")).toBe("no-store");
      for (const accept of ["application/json", "text/plain"]) {
        const { headers } = await send("GET", `${api}/cached`, { ...ada.pair, accept });
        expect(headers.get("cache-control")).toBe("private, no-cache");
        expect(headers.get("vary")).toBe("Accept, Authorization, X-Wf-Name, X-Wf-Key, Accept-Encoding");
        const etag = headers.get("etag")!;
        const again = await send("GET", `${api}/cached`, { ...ada.pair, accept, "if-none-match": etag });
        expect(again.status).toBe(304);
        expect(again.headers.get("cache-control")).toBe("private, no-cache");
        const stranger = await send("GET", `${api}/cached`, { accept, "if-none-match": etag });
        expect(stranger.status).toBe(401);
      }
    });
  });

  describe("the index", () => {
    test("lists every name with its slots, private ones without address or value", async () => {
      const who = await newcomer();
      await put("open", { value: "seen", public: true }, who);
      await put("closed", { value: privateValue() }, who);
      const { status, headers, body } = await get<LockerIndex>(`${api}/index?limit=1000`);
      expect(status).toBe(200);
      expect(headers.get("etag")).toBeTruthy();
      expect(body.count).toBe(body.lockers.length);
      expect(body.slots_total).toBe(body.lockers.flatMap(({ slots }) => slots).length);
      expect(body.lockers.find(({ name }) => name === who.name)).toEqual({
        name: who.name,
        slots: [
          { slot: "closed", public: false, bytes: 51, updated: expect.stringMatching(iso) },
          {
            slot: "open",
            public: true,
            bytes: 4,
            updated: expect.stringMatching(iso),
            url: `${service.url}/locker/${encodeURIComponent(who.name)}/open`,
          },
        ],
      });
      expect(body.what_this_shows).toContain("private ones included");
      expect(body.what_it_does_not_show).toContain("Private is not encrypted");
      expect(JSON.stringify(body)).not.toContain("seen");
    });

    test("returns every locker once over all pages", async () => {
      const all = (await get<LockerIndex>(`${api}/index?limit=1000`)).body;
      const paged: unknown[] = [];
      let cursor = "";
      do {
        const { body } = await get<LockerIndex>(`${api}/index?limit=2${cursor && `&cursor=${cursor}`}`);
        expect(body.lockers.length).toBeLessThanOrEqual(2);
        expect(body).toMatchObject({ count: all.count, slots_total: all.slots_total });
        paged.push(...body.lockers);
        cursor = body.next ?? "";
      } while (cursor);
      expect(paged).toEqual(all.lockers);
      expect((await get(`${api}/index?cursor=x`)).status).toBe(422);
    });

    test("shows the index as a page", async () => {
      const { headers, body } = await send("GET", `${service.url}/locker?limit=1`);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("content-security-policy")).toStartWith("default-src 'none'");
      expect(body).toContain("it is not encrypted");
      expect(body).toContain('rel="next"');
    });
  });
});

describe("a slot that expires", () => {
  test("disappears at its end from reads, lists, the quota and the index", async () => {
    const service = await startSource();
    const { pair } = await claim(service.url, "Mayfly");
    const api = `${service.url}/api/locker`;
    const put = (slot: string, more: object) => call("PUT", `${api}/${slot}`, { value: "x", ...more }, pair);
    for (let i = 0; i < locker_limits.slots_per_locker - 1; i++) await put(`s${i}`, {});
    const { body } = await put("brief", { expires_in: 60, public: true });
    expect(body.expires_at).toBe("2026-03-01T12:01:00.000Z");
    const seen = async () => [
      (await get(`${api}/brief`, pair)).status,
      (await get(`${service.url}/locker/mayfly/brief`)).status,
      (await get<Locker>(api, pair)).body.slots_used,
      (await get<Locker>(api, pair)).body.slots.length,
      (await get<LockerIndex>(`${api}/index`)).body.slots_total,
      (await get<LockerIndex>(`${api}/index`)).body.lockers[0]!.slots.length,
      (await put("one-more", {})).status,
    ];
    service.clock.advance(59.999);
    expect(await seen()).toEqual([200, 200, 64, 64, 64, 64, 409]);
    service.clock.advance(0.001);
    expect(await seen()).toEqual([404, 404, 63, 63, 63, 63, 201]);
    expect((await call("DELETE", `${api}/brief`, undefined, pair)).status).toBe(404);
    await call("DELETE", `${api}/one-more`, undefined, pair);
    const anew = await put("brief", { expected_version: 0 });
    expect(anew).toMatchObject({ status: 201, body: { version: 1 } });
    expect(anew.body.expires_at).toBeUndefined();
    await service.stop();
  });

  test("remains if it is written again without an end", async () => {
    const service = await startSource();
    const { pair } = await claim(service.url, "Stayer");
    const url = `${service.url}/api/locker/a`;
    await call("PUT", url, { value: "x", expires_in: 1 }, pair);
    await call("PUT", url, { value: "x" }, pair);
    service.clock.advance(3600);
    expect((await get(url, pair)).status).toBe(200);
    await service.stop();
  });
});
