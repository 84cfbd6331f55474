/** What the guard does if the service does not answer, is slow, or refuses the key, and if nothing is guarded. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer_ms_max, Guard } from "../../../../src/cli/shell/lease/guard.ts";
import { silent_terminal } from "../../../support/commands.ts";
import { freePort } from "../../../support/free_port.ts";
import { environmentOf, guard, type GuardSettings } from "../../../support/guards.ts";
import { post } from "../../../support/http.ts";
import { claim, type Holder } from "../../../support/names.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../../support/service.ts";

let service: SourceService;
let alice: Holder;
let bob: Holder;
let room: string;
let directory: string;
let as_bob: GuardSettings;
let count = 0;

beforeAll(async () => {
  service = await startSource();
  alice = await claim(service.url, "alice");
  bob = await claim(service.url, "bob");
});
beforeEach(async () => {
  const body = { goal: `Guard ${++count}`, name: "Host" };
  room = (await post<{ slug: string }>(`${service.url}/api/meet/rooms`, body)).body.slug;
  directory = realpathSync(newDirectory());
  mkdirSync(join(directory, "src"));
  as_bob = { url: service.url, who: bob, home: directory };
});
afterEach(() => removeDirectory(directory));
afterAll(() => service.stop());

const settle = (text = `room = "${room}"`) => writeFileSync(join(directory, ".wharf-leases.toml"), text);
const takeAs = ({ pair }: Holder, ...paths: string[]) =>
  post(`${service.url}/api/meet/rooms/${room}/leases`, { paths, ttl_seconds: 600 }, pair);
const silent = { printed: "", errors: "", status: 0 };
const allowed = expect.stringMatching(/^wharf: leases are not checked, and the change is allowed: .+\n$/);
const denied = expect.stringMatching(/^wharf: leases cannot be checked, so the change is refused: .+\n$/);

/** A service that answers each request by `answer`; `requests` counts them. */
function serve(answer: () => Promise<Response>) {
  const served = { requests: 0, url: "", stop: () => server.stop(true) };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 30,
    fetch() {
      served.requests += 1;
      return answer();
    },
  });
  served.url = `http://127.0.0.1:${server.port}`;
  return served;
}

describe.each([
  ["is away", async () => ({ url: `http://127.0.0.1:${await freePort()}`, stop: async () => {} })],
  ["never answers", async () => serve(() => new Promise(() => {}))],
  ["answers with something else", async () => serve(async () => new Response("Hello."))],
])("a service that %s", (_what, start) => {
  test("leaves edits alone, and says so; with --offline deny it stops them with status 1", async () => {
    settle();
    const away = await start();
    as_bob = { ...as_bob, url: away.url };
    expect(
      await Promise.all(
        [[], ["--offline", "deny"]].map((options) => guard(as_bob, ["src/a", ...options], {})),
      ),
    ).toEqual([
      { printed: "", errors: allowed, status: 0 },
      { printed: "", errors: denied, status: 1 },
    ]);
    await away.stop();
  });
});

test("the line names a service that cannot be reached", async () => {
  settle();
  const url = `http://127.0.0.1:${await freePort()}`;
  const { errors } = await guard({ ...as_bob, url }, ["src/a"]);
  expect(errors).toContain(`the change is allowed: ${url} cannot be reached: nothing answers there.`);
});

test("a service that answers late is waited for: more than 2 seconds, less than 3", async () => {
  expect(answer_ms_max).toBeGreaterThan(2_000);
  expect(answer_ms_max).toBeLessThan(3_000);
  settle();
  await takeAs(alice, "src");
  const requested = Promise.withResolvers<void>();
  const answering = Promise.withResolvers<void>();
  const slow = serve(async () => {
    requested.resolve();
    await answering.promise;
    const headers = { ...bob.pair, "content-type": "application/json" };
    const body = JSON.stringify({ paths: ["src/a"] });
    return fetch(`${service.url}/api/meet/rooms/${room}/leases/check`, { method: "POST", headers, body });
  });
  // In this process, without the limit: a busy machine may need longer for the rest.
  const terminal = { ...silent_terminal, environment: environmentOf({ ...as_bob, url: slow.url }) };
  const { signal } = new AbortController();
  const verdict = new Guard(terminal, { offline: "allow" }, signal).checkFiles([join(directory, "src/a")]);
  await requested.promise;
  expect(Bun.peek.status(verdict)).toBe("pending");
  answering.resolve();
  expect(await verdict).toMatchObject({
    allowed: false,
    text: expect.stringContaining("src/a is leased by alice until"),
  });
  await slow.stop();
});

test("without a room, or for what is not guarded, nobody is called", async () => {
  const service_of_another = serve(async () => new Response("{}"));
  as_bob = { ...as_bob, url: service_of_another.url };
  expect(await guard(as_bob, ["src/a"])).toEqual(silent);
  settle('paths = ["src"]');
  expect(await guard(as_bob, ["src/a"])).toEqual(silent);
  settle(`room = "${room}"\npaths = ["docs", "src/*.sql", "!docs/own"]`);
  expect(await guard(as_bob, ["src/a", "docs/own/a"])).toEqual(silent);
  expect(service_of_another.requests).toBe(0);
  await guard(as_bob, ["docs/a", "src/a.sql"]);
  expect(service_of_another.requests).toBe(1);
  await service_of_another.stop();
});

test("a key that the service refuses is named, and stops only what is held", async () => {
  settle();
  await takeAs(alice, "src");
  as_bob = { ...as_bob, who: { name: bob.name, key: alice.key } };
  const says = `${service.url} refuses the key of bob, so no lease counts as yours: `;
  const free = await guard(as_bob, ["docs"]);
  expect(free).toMatchObject({ status: 0, printed: "" });
  expect(free.errors).toStartWith(`wharf: ${says}`);
  const held = await guard(as_bob, ["src/a"]);
  expect(held.status).toBe(5);
  expect(held.errors).toContain("src/a is leased by alice until");
  expect(held.errors).toContain(says);
});

test("a faulty file, or credentials that cannot be read, leave edits alone and say so", async () => {
  settle("room = ");
  expect(await guard(as_bob, ["src/a"])).toEqual({ printed: "", errors: allowed, status: 0 });
  settle("romo = 1");
  const faulty = await guard(as_bob, ["src/a", "--offline", "deny"]);
  expect(faulty.status).toBe(1);
  expect(faulty.errors).toContain(".wharf-leases.toml:1: there is no romo.");
  settle();
  mkdirSync(join(directory, "config/wharf"), { recursive: true });
  writeFileSync(join(directory, "config/wharf/credentials.toml"), "= broken");
  expect(await guard(as_bob, ["src/a"])).toEqual({ printed: "", errors: allowed, status: 0 });
});

test("1,001 paths are checked in as few calls as the service allows", async () => {
  settle();
  await takeAs(alice, "src/1000");
  const paths = Array.from({ length: 1_001 }, (_, i) => `src/${i}`);
  const { status, errors } = await guard(as_bob, paths);
  expect(status).toBe(5);
  expect(errors).toStartWith("wharf: src/1000 is leased by alice");
});
