/** How often documents are fetched, and how long they are cached. */

import { describe, expect, test } from "bun:test";
import { FetchFailure, type FetchFault, type GuardedFetch } from "../../src/core/guarded_fetch.ts";
import { createDocumentCache } from "../../src/oauth/document_cache.ts";
import { oauth_limits } from "../../src/oauth/limits.ts";
import { FakeClock } from "../support/clock.ts";

type Answer = Awaited<ReturnType<GuardedFetch>>;

const json = { "content-type": "application/json" };
const answer = (headers: Record<string, string> = json, status = 200, text = "{}"): Answer => ({
  status,
  headers: new Headers(headers),
  body: new TextEncoder().encode(text),
});

/** A cache whose fetches `respond` answers. `fetched`: the URLs that it fetched. */
function startCache(respond: (url: string) => Answer | Promise<Answer>, isUsable = () => true) {
  const clock = new FakeClock();
  const fetched: string[] = [];
  const guardedFetch: GuardedFetch = async (url, request) => {
    expect(request).toEqual({
      headers: { accept: "application/json" },
      answer_bytes_max: 8192,
      timeout_seconds: 5,
    });
    fetched.push(url);
    return respond(url);
  };
  const cache = createDocumentCache({ guardedFetch, clock, isUsable });
  let callers = 0;
  /** `address`: of a caller; another one each time if absent. */
  const documentAt = (url: string, address = `192.0.2.${callers++}`) => cache(url, address);
  return { documentAt, clock, fetched };
}

const url = "https://client.example/client.json";

/** The message with which `job` fails; "fetched" if it does not. */
const outcomeOf = (job: Promise<Uint8Array>): Promise<string> =>
  job.then(
    () => "fetched",
    (error: Error) => error.message,
  );

describe("a document is cached", () => {
  test.each<[string, Record<string, string>, number]>([
    ["for five minutes without a header", {}, 300],
    ["for as long as max-age says", { "cache-control": "public, max-age=1000" }, 1000],
    ["for max-age in quotes and capitals", { "cache-control": 'Max-Age="1000"' }, 1000],
    ["less the time in other caches", { "cache-control": "max-age=1000", age: "400" }, 600],
    ["for a minute at least", { "cache-control": "max-age=0" }, 60],
    ["for a minute if it is older than max-age", { "cache-control": "max-age=100", age: "999999999" }, 60],
    ["for a minute in spite of no-store", { "cache-control": "no-store, max-age=1000" }, 60],
    ["for a minute in spite of no-cache", { "cache-control": "no-cache" }, 60],
    ["for a day at most", { "cache-control": "max-age=999999999999" }, 86_400],
    [
      "without regard to s-maxage and nonsense",
      { "cache-control": "s-maxage=9, max-age=-5, x-max-age=7" },
      300,
    ],
    ["without regard to an age that is no number", { "cache-control": "max-age=1000", age: "-5" }, 1000],
  ])("%s", async (_title, headers, seconds) => {
    const { documentAt, clock, fetched } = startCache(() => answer({ ...json, ...headers }));
    expect(new TextDecoder().decode(await documentAt(url))).toBe("{}");
    clock.advance(seconds - 1);
    await documentAt(url);
    expect(fetched).toEqual([url]);
    clock.advance(1);
    await documentAt(url);
    expect(fetched).toEqual([url, url]);
  });

  test("unless it cannot be used", async () => {
    const { documentAt, fetched } = startCache(
      () => answer(json, 200, "[]"),
      () => false,
    );
    expect(new TextDecoder().decode(await documentAt(url))).toBe("[]");
    await documentAt(url);
    expect(fetched.length).toBe(2);
  });

  test("until 500 others were used after it", async () => {
    const { documentAt, fetched } = startCache(() => answer());
    const at = (n: number) => documentAt(`${url}?${n}`);
    for (let n = 0; n < oauth_limits.documents_cached_max; n++) await at(n);
    await at(0);
    await at(500);
    expect(fetched.length).toBe(501);
    await at(0);
    expect(fetched.length).toBe(501);
    await at(1);
    expect(fetched.length).toBe(502);
  });
});

describe("an error", () => {
  test("is not cached", async () => {
    const answers = [answer(json, 503), answer({ "content-type": "text/html" }), answer()];
    const { documentAt } = startCache(() => answers.shift()!);
    expect(await outcomeOf(documentAt(url))).toContain("its address answered with status 503.");
    expect(await outcomeOf(documentAt(url))).toContain("its type is not application/json.");
    expect((await documentAt(url)).length).toBe(2);
  });

  test.each([201, 204, 206, 400, 404, 500])("is every status but 200, such as %d", (status) => {
    expect(startCache(() => answer(json, status)).documentAt(url)).rejects.toThrow(`status ${status}`);
  });

  test.each([
    "text/plain",
    "text/json",
    "application/jsonp",
    "application/javascript",
    "",
    "application/+json",
  ])("is the type %p", (type) => {
    expect(startCache(() => answer({ "content-type": type })).documentAt(url)).rejects.toThrow("type");
  });

  test.each([
    "application/json",
    "Application/JSON; charset=utf-8",
    "application/cimd+json",
    "application/json ;a",
  ])("is not the type %p", async (type) => {
    expect((await startCache(() => answer({ "content-type": type })).documentAt(url)).length).toBe(2);
  });

  const messageFor = (fault: FetchFault) =>
    outcomeOf(startCache(() => Promise.reject(new FetchFailure(fault))).documentAt(url));

  test("of the network is a clause that does not say which names a private network has", async () => {
    expect(await messageFor("not_public")).toBe(await messageFor("no_such_host"));
    expect(await messageFor("timeout")).toBe("no answer came within 5 seconds.");
    expect(await messageFor("redirect")).toBe("its address redirects to another one.");
    expect(await messageFor("too_large")).toBe("it is larger than 8192 bytes.");
  });
});

describe("fetches under way", () => {
  /** A cache whose fetches end when `end` is called. */
  function startSlow() {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { ...startCache(() => promise.then(() => answer())), end: resolve };
  }

  test("of the same document are one", async () => {
    const { documentAt, fetched, end } = startSlow();
    const jobs = Array.from({ length: 50 }, () => documentAt(url));
    end();
    expect((await Promise.all(jobs)).length).toBe(50);
    expect(fetched).toEqual([url]);
  });

  test("of the same document that fail, fail together, and leave no trace", async () => {
    let fails = true;
    const { documentAt, fetched } = startCache(() => {
      if (fails) throw new FetchFailure("unreachable");
      return answer();
    });
    const ends = await Promise.allSettled([documentAt(url), documentAt(url)]);
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(fetched.length).toBe(1);
    fails = false;
    expect((await documentAt(url)).length).toBe(2);
  });

  test("are four for callers of one network, so that others get theirs", async () => {
    const { documentAt, fetched, end } = startSlow();
    const jobs = [1, 2, 3, 4].map((n) => documentAt(`https://slow${n}.example/c`, "192.0.2.7"));
    expect(await outcomeOf(documentAt("https://slow5.example/c", "192.0.2.7"))).toContain(
      "too many documents",
    );
    jobs.push(documentAt("https://slow5.example/c", "192.0.2.8"));
    end();
    await Promise.all(jobs);
    expect(fetched.length).toBe(5);
  });

  test("are four of a host and twenty in all at most; cached documents need none", async () => {
    const { documentAt, fetched, end } = startSlow();
    const jobs: Promise<unknown>[] = [];
    const start = (host: string, path: number) => jobs.push(documentAt(`https://${host}.example/${path}`));
    for (let n = 0; n < 4; n++) start("a", n);
    expect(await outcomeOf(documentAt("https://a.example/5"))).toContain("too many documents");
    expect(await outcomeOf(documentAt("https://a.example:8443/5"))).toContain("too many documents");
    for (let n = 0; n < 16; n++) start(`b${n}`, 0);
    expect(await outcomeOf(documentAt("https://c.example/0"))).toContain("too many documents");
    start("a", 0);
    end();
    await Promise.all(jobs);
    expect(fetched.length).toBe(20);
    start("c", 0);
    start("a", 5);
    await Promise.all(jobs);
    expect(fetched.length).toBe(22);
  });
});
