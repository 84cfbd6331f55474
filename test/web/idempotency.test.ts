/** Idempotency keys: to whom they belong, what a repetition returns, and what is stored. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Claimed, Recovered, Rotated } from "../../src/api/names/names.ts";
import type { OpenedRoom, Post } from "../../src/api/rooms/rooms.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { FakeClock } from "../support/clock.ts";
import { call, post, type Answer } from "../support/http.ts";
import { claim, holder } from "../support/names.ts";
import {
  newDirectory,
  removeDirectory,
  startSource,
  ways,
  type SourceService,
  type TestService,
} from "../support/service.ts";
import { stored, storedTexts } from "../support/stored.ts";

/** A random key. */
const strong = (): string => crypto.randomUUID();
/** One character less than a key has that is the same from every address. */
const weak = (): string => strong().slice(0, 21);
const keyed = (key: string) => ({ "idempotency-key": key });

describe.each(ways)("idempotency keys (%s)", (_way, start) => {
  let service: TestService;
  let names: string;
  let rooms: string;
  beforeAll(async () => {
    service = await start({ trusted_proxies: ["127.0.0.0/8", "::1/128"] });
    names = `${service.url}/api/name`;
    rooms = `${service.url}/api/meet/rooms`;
  });
  afterAll(() => service.stop());

  /** Headers of a request from this address. */
  const from = (address: string) => ({ "x-forwarded-for": address });
  const whoami = (headers: Record<string, string>) => post(`${names}/whoami`, undefined, headers);
  const rotate = (headers: Record<string, string>) =>
    post<Rotated & { code?: string }>(`${names}/rotate`, undefined, headers);

  test("answers 401, not a stored answer, to a call without the credential that it needs", async () => {
    const refused = await rotate(keyed("x"));
    expect(refused).toMatchObject({ status: 401, body: { code: "credential_required" } });
  });

  test("marks the answers to repeated calls, and no other", async () => {
    const ada = await claim(service.url, "Replaying Ada");
    const room = (await post<OpenedRoom>(rooms, { goal: "Replayed", name: "x" })).body;
    const early = (await post<OpenedRoom>(rooms, { goal: "Before the claim", name: "x" })).body;
    const said = { name: "Replaying Ada", body: "Once." };
    const posted = { title: "Replayed", detail: "Once." };
    const calls: [path: string, body?: object, headers?: Record<string, string>][] = [
      ["/api/name", { name: "Replayed name" }],
      ["/api/meet/rooms", { goal: "Replayed too", name: "x" }],
      [`/api/meet/rooms/${room.slug}/posts?receipt=1`, said, ada.pair],
      [`/api/meet/rooms/${room.slug}/close`, undefined, { "x-meet-key": room.host_key! }],
      [`/api/meet/rooms/${early.slug}/host`, undefined, { ...ada.pair, "x-meet-key": early.host_key! }],
      ["/api/jobs", posted, ada.pair],
      ["/api/name/rotate", undefined, ada.pair],
    ];
    for (const [path, body, headers] of calls) {
      const send = (key: string) => post(service.url + path, body, { ...headers, ...keyed(key) });
      const key = strong();
      const [first, again] = [await send(key), await send(key)];
      const marks = [first, again].map((answer) => answer.headers.get("idempotency-replayed"));
      expect([path, first.status < 300, marks, again.body]).toEqual([path, true, [null, "true"], first.body]);
    }
  });

  describe("a weak key", () => {
    test("does not reveal the call of one address to another", async () => {
      const key = keyed("1");
      const said = { goal: "A guessable goal", name: "Ada", visibility: "unlisted" };
      const first = await post<OpenedRoom>(rooms, said, { ...key, ...from("192.0.2.1") });
      const other = await post<OpenedRoom>(rooms, said, { ...key, ...from("192.0.2.2") });
      expect([first.status, other.status]).toEqual([201, 201]);
      expect(other.body.slug).not.toBe(first.body.slug);
      const another_goal = { ...said, goal: "Something else" };
      expect((await post(rooms, another_goal, { ...key, ...from("192.0.2.3") })).status).toBe(201);
      const again = await post<OpenedRoom>(rooms, said, { ...key, ...from("192.0.2.1") });
      expect(again.body).toMatchObject({ slug: first.body.slug, host_key: null });
      const changed = await post(rooms, another_goal, { ...key, ...from("192.0.2.1") });
      expect(changed).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
    });

    test("returns no secret again, and says that it was returned before", async () => {
      const key = keyed(weak());
      const claimed = () => post<Claimed>(names, { name: "Weakly claimed" }, key);
      const [first, again] = [await claimed(), await claimed()];
      const { key: given, recovery_code, ...rest } = first.body;
      expect(again.body).toEqual({
        ...rest,
        key: null,
        recovery_code: null,
        key_note: expect.stringContaining("random UUID"),
      });
      expect(first.body.key_note).toBeUndefined();
      const { pair } = holder("Weakly claimed", given!);
      const rotated = await rotate({ ...pair, ...key });
      const renewed = holder("Weakly claimed", rotated.body.key!).pair;
      expect((await rotate({ ...renewed, ...key })).body).toMatchObject({
        key: null,
        key_note: expect.any(String),
      });
      const recover = () =>
        post<Recovered>(`${names}/recover`, { name: "Weakly claimed", recovery_code }, key);
      expect((await recover()).body.key).toMatch(/^wfk_/);
      expect((await recover()).body).toMatchObject({
        key: null,
        recovery_code: null,
        key_note: expect.any(String),
      });
      const open = () => post<OpenedRoom>(rooms, { goal: "Weakly opened", name: "x" }, key);
      expect((await open()).body.host_key_note).toBeUndefined();
      expect((await open()).body).toMatchObject({
        host_key: null,
        host_key_note: expect.stringContaining("random UUID"),
      });
    });
  });

  describe("a long key that somebody could guess", () => {
    test.each([
      "claim-of-my-name-1234567",
      "my-agent-claims-its-name-for-the-first-time",
      "1".repeat(40),
      "00000000-0000-4000-8000-000000000000",
      "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
      "2026-11-23T12:00:00.000Z-claim",
      "deadbeefdeadbeef0123456789abcde",
    ])("returns no secret to a repetition from another address: %s", async (key) => {
      const name = `Guessed ${key
        .slice(0, 12)
        .replaceAll(/[^a-z0-9]/gi, " ")
        .trim()}`;
      const claimed = (address: string) =>
        post<Claimed>(names, { name }, { ...keyed(key), ...from(address) });
      const first = await claimed("192.0.2.1");
      expect([first.status, first.body.key]).toEqual([201, expect.stringMatching(/^wfk_/)]);
      const again = await claimed("192.0.2.77");
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
      expect(again.body).toMatchObject({
        key: null,
        recovery_code: null,
        key_note: expect.stringContaining("random UUID"),
      });
      const open = (address: string) =>
        post<OpenedRoom>(rooms, { goal: name, name: "x" }, { ...keyed(key), ...from(address) });
      expect((await open("192.0.2.1")).body.host_key).toStartWith("wfh_");
      expect((await open("192.0.2.77")).body).toMatchObject({ host_key: null });
    });
  });

  describe("a random key", () => {
    test.each([
      ["a UUID of version 7", () => Bun.randomUUIDv7()],
      ["a UUID in capitals", () => crypto.randomUUID().toUpperCase()],
      ["16 bytes in hex", () => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex")],
      [
        "32 bytes in base64url",
        () => `aA${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`,
      ],
    ])("returns the secrets again: %s", async (_form, make) => {
      const key = keyed(make());
      const claimed = () => post<Claimed>(names, { name: `Random ${_form.replaceAll(/\W/g, " ")}` }, key);
      const [first, again] = [await claimed(), await claimed()];
      expect(first.status).toBe(201);
      expect(again.body).toEqual(first.body);
    });

    test("belongs to its credential, at any address", async () => {
      const [ada, bob] = [await claim(service.url, "Strong Ada"), await claim(service.url, "Strong Bob")];
      const room = (await post<OpenedRoom>(rooms, { goal: "Strong", name: "x" })).body;
      const key = keyed(strong());
      const say = (headers: Record<string, string>, body: string, name: string) =>
        post<Post>(`${room.api}/posts`, { name, body }, { ...headers, ...key });
      const hers = await say({ ...ada.pair, ...from("192.0.2.1") }, "hello", "Strong Ada");
      const his = await say(bob.pair, "goodbye", "Strong Bob");
      const nobodys = await say({}, "who?", "Free");
      expect([hers.status, his.status, nobodys.status]).toEqual([201, 201, 201]);
      const again = await say({ ...ada.bearer, ...from("192.0.2.9") }, "hello", "Strong Ada");
      expect(again.body).toEqual(hers.body);
    });

    test("returns the working secrets of a claim and of an opened room again", async () => {
      const key = keyed(strong());
      const claimed = () => post<Claimed>(names, { name: "Strongly claimed" }, key);
      const [first, again] = [await claimed(), await claimed()];
      expect(again.body).toEqual(first.body);
      expect((await whoami(holder("Strongly claimed", again.body.key!).pair)).status).toBe(200);
      const open = () => post<OpenedRoom>(rooms, { goal: "Strongly opened", name: "x" }, key);
      const [opened, reopened] = [await open(), await open()];
      expect(reopened.body).toEqual(opened.body);
      const closed = await post(`${opened.body.api}/close`, undefined, {
        "x-meet-key": reopened.body.host_key!,
      });
      expect(closed.status).toBe(200);
    });

    test("derives a different secret for each use", async () => {
      const key = keyed(strong());
      const first = await post<Claimed>(names, { name: "Alike one" }, key);
      const rotated = await rotate({ ...holder("Alike one", first.body.key!).pair, ...key });
      const opened = await post<OpenedRoom>(rooms, { goal: "Alike", name: "x" }, key);
      const { recovery_code } = first.body;
      const recovered = await post<Recovered>(`${names}/recover`, { name: "Alike one", recovery_code }, key);
      const given = [first.body.key, recovery_code, rotated.body.key, opened.body.host_key];
      const bare = [...given, recovered.body.key, recovered.body.recovery_code].map((text) =>
        text!.slice(4, 47),
      );
      expect(new Set(bare).size).toBe(6);
    });
  });

  describe("a replaced credential", () => {
    test("may repeat the call that replaced it, with its name and alone", async () => {
      const { pair, bearer } = await claim(service.url, "Rotating");
      const key = keyed(strong());
      const first = await rotate({ ...pair, ...key });
      for (const shown of [pair, bearer]) {
        const again = await rotate({ ...shown, ...key });
        expect([again.status, again.body]).toEqual([200, first.body]);
      }
      expect((await whoami(holder("Rotating", first.body.key!).pair)).body).toMatchObject({ acts: 2 });
    });

    test("is refused for any other call", async () => {
      const { pair, bearer } = await claim(service.url, "Dead key");
      const key = keyed(strong());
      const first = await rotate({ ...pair, ...key });
      const refused = async (answer: Promise<Answer>) =>
        expect(await answer).toMatchObject({ status: 401, body: { code: "unknown_credential" } });
      await refused(rotate(pair));
      await refused(rotate(bearer));
      await refused(rotate({ ...pair, ...keyed(strong()) }));
      await refused(rotate({ ...pair, "x-wf-name": "Rotating", ...key }));
      await refused(whoami({ ...pair, ...key }));
      await refused(post(`${names}/rotate/`, undefined, { ...pair, ...key }));
      await refused(post(`${names}/revoke`, { key: first.body.key }, { ...pair, ...key }));
      await refused(post(`${names}/recover`, { name: "x", recovery_code: "y" }, { ...pair, ...key }));
      await refused(post(rooms, { goal: "x", name: "Dead key" }, { ...pair, ...key }));
      await refused(call("PUT", `${service.url}/api/locker/a`, { value: "x" }, { ...pair, ...key }));
      const next = await rotate(holder("Dead key", first.body.key!).pair);
      expect(next.status).toBe(200);
      await refused(rotate({ ...pair, ...key }));
    });

    test("is refused with a weak idempotency key", async () => {
      const { pair } = await claim(service.url, "Weakly rotating");
      const key = keyed(weak());
      expect((await rotate({ ...pair, ...key })).status).toBe(200);
      expect((await rotate({ ...pair, ...key })).status).toBe(401);
    });

    test("may repeat a recovery and a revocation that it was sent with", async () => {
      const { pair, key: old, recovery_code } = await claim(service.url, "Recovering");
      const headers = { ...pair, ...keyed(strong()) };
      const recover = (code: string) =>
        post<Recovered>(`${names}/recover`, { name: "Recovering", recovery_code: code }, headers);
      const first = await recover(recovery_code);
      expect((await recover(recovery_code)).body).toEqual(first.body);
      expect((await recover("something else")).status).toBe(401);
      expect((await whoami({ ...pair, "x-wf-key": old })).status).toBe(401);
      const renewed = { ...holder("Recovering", first.body.key!).pair, ...keyed(strong()) };
      const revoke = () => post(`${names}/revoke`, { key: first.body.key }, renewed);
      const revoked = await revoke();
      expect([revoked.status, (await revoke()).body]).toEqual([200, revoked.body]);
    });
  });

  test("stores no name of a host with the answer to a call that makes one", async () => {
    const room = (await post<OpenedRoom>(rooms, { goal: "Hosted by Ada later", name: "x" })).body;
    const { pair } = await claim(service.url, "Hosting Ada");
    const headers = { ...pair, "x-meet-key": room.host_key!, ...keyed(strong()) };
    const taken = () => post(`${rooms}/${room.slug}/host`, undefined, headers);
    expect((await taken()).body).toEqual((await taken()).body);
    const answers = await stored(service.directory, "SELECT result FROM idempotent_answers");
    const of_room = answers.filter(({ result }) => (result as string).includes(room.slug));
    expect(of_room).toEqual([{ result: JSON.stringify({ slug: room.slug }) }]);
  });

  test("stores neither idempotency keys nor secrets in any file", async () => {
    const key = strong();
    const claimed = await post<Claimed>(names, { name: "Nothing stored" }, keyed(key));
    const opened = await post<OpenedRoom>(rooms, { goal: "Nothing stored", name: "x" }, keyed(key));
    const files = await storedTexts(service.directory);
    const secrets = [claimed.body.key!, claimed.body.recovery_code!, opened.body.host_key!];
    for (const text of [key, sha256Hex(key), ...secrets]) {
      expect(files.some((bytes) => bytes.includes(text))).toBe(false);
    }
    expect(files.some((bytes) => bytes.includes(sha256Hex(claimed.body.key!)))).toBe(true);
  });
});

test("treats a key as new after 24 hours, and refuses a replaced credential then", async () => {
  const service = await startSource();
  const rooms = `${service.url}/api/meet/rooms`;
  const key = keyed(strong());
  const open = () => post<OpenedRoom>(rooms, { goal: "Daily", name: "x" }, key);
  const { pair } = await claim(service.url, "Daily");
  const rotate = () => post<Rotated>(`${service.url}/api/name/rotate`, undefined, { ...pair, ...key });
  const [first, rotated] = [await open(), await rotate()];
  service.clock.advance(24 * 3600 - 1);
  expect((await open()).body).toEqual(first.body);
  expect((await rotate()).body).toEqual(rotated.body);
  service.clock.advance(2);
  const second = await open();
  expect(second.body.slug).not.toBe(first.body.slug);
  expect(second.body.host_key).not.toBe(first.body.host_key);
  expect((await rotate()).status).toBe(401);
  await service.stop();
});

describe("answers that an earlier version stored with their keys in clear text", () => {
  const directory = newDirectory();
  const clock = new FakeClock();
  const at = new Date(clock.now()).toISOString();
  const [known, short] = [crypto.randomUUID(), "short"];
  let service: SourceService;
  beforeAll(async () => {
    service = await startSource({ data_dir: directory }, clock);
    await post(`${service.url}/api/meet/rooms`, { goal: "Old", name: "x" });
    await service.stop();
    const insert = (...values: string[]) =>
      stored(
        directory,
        "INSERT INTO answers (key, path, fingerprint, result, at) VALUES ($1, $2, $3, $4, $5)",
        ...values,
      );
    const answer = { id: "01a1fd02-eba1-7a39-8ed3-75ba41689c42", ts: at, claimed: false };
    // This version hashed the body with the caller's name, null if absent.
    const sent = sha256Hex(JSON.stringify([null, { name: "y", body: "Only once." }]));
    for (const key of [known, short])
      await insert(key, "/api/meet/rooms/old/posts", sent, JSON.stringify(answer), at);
    const claimed = {
      name: "Old name",
      canonical: "old-name",
      created: at,
      key_changed: at,
      acts: 1,
      last_act: at,
    };
    await insert(known, "/api/name", sha256Hex('{"name":"Old name"}'), JSON.stringify(claimed), at);
    service = await startSource({ data_dir: directory }, clock);
  });
  afterAll(async () => {
    await service.stop();
    removeDirectory(directory);
  });
  const say = (key: string, body: string) =>
    post<Post>(`${service.url}/api/meet/rooms/old/posts`, { name: "y", body }, keyed(key));

  test("are returned for a strong key", async () => {
    const again = await say(known, "Only once.");
    expect(again).toMatchObject({ status: 201, body: { id: "01a1fd02-eba1-7a39-8ed3-75ba41689c42" } });
    expect(await say(known, "Twice.")).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
    const claimed = await post<Claimed>(`${service.url}/api/name`, { name: "Old name" }, keyed(known));
    expect(claimed).toMatchObject({ status: 201, body: { key: null, key_note: expect.any(String) } });
  });

  test("are ignored for a weak key, which anybody can send", async () => {
    const posted = await say(short, "Only once.");
    expect(posted.status).toBe(201);
    expect(posted.body.id).not.toBe("01a1fd02-eba1-7a39-8ed3-75ba41689c42");
  });

  test("are deleted after 24 hours", async () => {
    clock.advance(24 * 3600 + 1);
    expect((await say(strong(), "Later.")).status).toBe(201);
    expect(await stored(directory, "SELECT key FROM answers")).toEqual([]);
  });
});
