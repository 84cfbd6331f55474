/** Metrics: each of them moves when what it measures does; they have a listener of their own, and a row in the documents. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { call, get, post, send } from "../support/http.ts";
import { callJob, postJob } from "../support/jobs.ts";
import { ask, beginSession } from "../support/mcp_messages.ts";
import { scrape, type Scrape } from "../support/metrics.ts";
import { claim } from "../support/names.ts";
import { letIn, refreshed } from "../support/oauth.ts";
import { open } from "../support/rooms.ts";
import { is_on_postgres, testOfSqlite } from "../support/postgres.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";
import { readEvents } from "../support/sse.ts";
import { callTool } from "../support/tools.ts";
import { readWebhook } from "../support/webhook_names.ts";
import { calling, passUntil, startReceiver, type Receiver } from "../support/webhook_receivers.ts";

const settings = { metrics_listen: "127.0.0.1:0" };

let service: SourceService;
let receiver: Receiver;
beforeAll(async () => {
  receiver = startReceiver();
  const limits = { rate_limit: true, rooms_per_hour_by_address: 3 };
  service = await startSource({ ...settings, ...calling, ...limits, oauth: true });
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

/** What changed for a metric while `run` ran; and what `run` returned. */
async function around(
  run: () => Promise<unknown>,
): Promise<(...metric: Parameters<Scrape["sum"]>) => number> {
  const before = await scrape(service.metrics_url!);
  await run();
  const after = await scrape(service.metrics_url!);
  return (...metric) => after.sum(...metric) - before.sum(...metric);
}
const now = async (...metric: Parameters<Scrape["sum"]>) =>
  (await scrape(service.metrics_url!)).sum(...metric);

describe("a metric moves", () => {
  test("for requests by route and status, their time, writes, groups, commits and caches", async () => {
    const room = await open(service.url, "Measured");
    const moved = await around(async () => {
      await post(`${room.api}/posts`, { name: "ada", body: "one" });
      await post(`${room.api}/posts`, { name: "ada", body: "" });
      await get(room.api);
      await get(room.api);
      await get(`${service.url}/nowhere`);
    });
    const route = 'route="/api/meet/rooms/{room}';
    expect(moved("wharf_http_requests_total", 'method="POST"', `${route}/posts"`, 'status="201"')).toBe(1);
    expect(moved("wharf_http_requests_total", `${route}/posts"`, 'status="422"')).toBe(1);
    expect(moved("wharf_http_requests_total", 'route="none"', 'status="404"')).toBe(1);
    expect(moved("wharf_http_request_duration_seconds_count", 'method="GET"', `${route}"`)).toBe(2);
    expect(moved("wharf_http_request_duration_seconds_bucket", 'le="+Inf"', `${route}/posts"`)).toBe(2);
    expect(moved("wharf_writes_total", 'command="rooms.speak"', 'outcome="stored"')).toBe(1);
    expect(moved("wharf_commit_writes_count")).toBeGreaterThanOrEqual(1);
    expect(moved("wharf_commit_writes_sum")).toBeGreaterThanOrEqual(1);
    expect(moved("wharf_commit_duration_seconds_count")).toBeGreaterThanOrEqual(1);
    expect(moved("wharf_commit_duration_seconds_sum")).toBeGreaterThan(0);
    expect(moved("wharf_cache_hits_total", 'cache="answers"')).toBe(1);
    expect(moved("wharf_cache_misses_total", 'cache="answers"')).toBe(1);
    expect(moved("wharf_cache_bytes", 'cache="answers"')).toBeGreaterThan(0);
  });

  test("for repeated and refused writes", async () => {
    const room = await open(service.url, "Writes");
    const moved = await around(async () => {
      const key = { "idempotency-key": "01234567-89ab-cdef-0123-456789abcdef" };
      for (let i = 0; i < 2; i++) await post(`${room.api}/posts`, { name: "ada", body: "one" }, key);
      await post(`${room.api}/close`, undefined, { "x-meet-key": room.host_key });
      await post(`${room.api}/posts`, { name: "ada", body: "late" });
    });
    const outcomes = ["stored", "repeated", "refused", "failed"].map((outcome) =>
      moved("wharf_writes_total", 'command="rooms.speak"', `outcome="${outcome}"`),
    );
    expect(outcomes).toEqual([1, 1, 1, 0]);
  });

  test("for streams, waits and subscriptions", async () => {
    const room = await open(service.url, "Open");
    const before = await scrape(service.metrics_url!);
    const stream = await readEvents(`${room.api}/stream`);
    const wait = get(`${room.api}?since=2030-01-01T00:00:00.000Z&wait_seconds=5`);
    while (service.open().waits === 0) await Bun.sleep(1);
    const during = await scrape(service.metrics_url!);
    for (const kind of ["streams", "waits", "subscriptions"]) {
      expect(during.sum(`wharf_${kind}_open`)).toBeGreaterThan(before.sum(`wharf_${kind}_open`));
    }
    await stream.close();
    await post(`${room.api}/posts`, { name: "ada", body: "end" });
    service.clock.advance(6);
    await wait;
    while (service.open().streams > 0) await Bun.sleep(1);
    expect(await now("wharf_streams_open")).toBe(0);
  });

  test("for limits that were reached", async () => {
    const moved = await around(() =>
      post(`${service.url}/api/meet/rooms`, { goal: "Too many", name: "ada" }),
    );
    expect(moved("wharf_limits_reached_total", 'limit="rooms-by-address"')).toBe(1);
    expect(moved("wharf_http_requests_total", 'status="429"')).toBe(1);
  });

  test("for MCP sessions and calls by tool", async () => {
    const mcp = `${service.url}/mcp`;
    const moved = await around(async () => {
      await beginSession(mcp);
      await callTool(service.url, "meet_rooms", {});
      await callTool(service.url, "meet_read", { room: "nowhere" });
      await ask(mcp, "tools/call", { name: "no_such_tool" });
    });
    expect(moved("wharf_mcp_sessions")).toBe(1);
    expect(moved("wharf_mcp_calls_total", 'tool="meet_rooms"', 'outcome="answered"')).toBe(1);
    expect(moved("wharf_mcp_calls_total", 'tool="meet_read"', 'outcome="refused"')).toBe(1);
    expect(moved("wharf_mcp_calls_total")).toBe(2);
  });

  test("for programs that register, and for the codes and refresh tokens that they send", async () => {
    const { url, clock } = service;
    const browser = await signedIn(url, await claim(url, "Metered"));
    const moved = await around(async () => {
      const first = await letIn(url, browser);
      const { body } = await refreshed(url, first.client_id, first.refresh_token);
      await refreshed(url, first.client_id, first.refresh_token);
      await refreshed(url, first.client_id, body.refresh_token);
      clock.advance(121);
      await refreshed(url, first.client_id, first.refresh_token);
      await refreshed(url, first.client_id, body.refresh_token);
    });
    expect(moved("wharf_oauth_clients")).toBe(1);
    expect(moved("wharf_oauth_tokens_total", 'sent="code"')).toBe(1);
    const outcomes = ["issued", "repeated", "reused", "refused"].map((outcome) =>
      moved("wharf_oauth_tokens_total", 'sent="refresh"', `outcome="${outcome}"`),
    );
    expect(outcomes).toEqual([2, 1, 1, 1]);
  });

  test("for webhooks: how many there are, which calls are due and since when, and how calls ended", async () => {
    const { url, clock } = service;
    const who = await claim(url, "Called");
    // Two calls do not begin in the same moment.
    const passTime = async () => {
      clock.advance(0.01);
      await Bun.sleep(1);
    };
    receiver.answering = () => new Response(null, { status: 503 });
    const moved = await around(async () => {
      await call("PUT", `${url}/api/mailbox/webhook`, { url: receiver.url }, who.pair);
      await callJob(url, await claim(url, "Worker"), (await postJob(url, who)).id, "claim");
      while ((await now("wharf_webhook_calls_total")) === 0) await passTime();
    });
    expect(moved("wharf_webhooks")).toBe(1);
    expect(moved("wharf_webhook_calls_due")).toBe(1);
    expect(moved("wharf_webhook_calls_total", 'result="status"')).toBe(1);
    clock.advance(3);
    expect(await now("wharf_webhook_oldest_due_seconds")).toBeGreaterThanOrEqual(3);
    receiver.answering = () => undefined;
    clock.advance(10);
    while ((await now("wharf_webhook_calls_due")) > 0) await passTime();
    expect(await now("wharf_webhook_calls_total", 'result="accepted"')).toBe(1);
    expect(await now("wharf_webhook_oldest_due_seconds")).toBe(0);
    await call("DELETE", `${url}/api/mailbox/webhook`, undefined, who.pair);
    expect(await now("wharf_webhooks")).toBe(0);
  });

  test("for webhooks: calls that wait for their turn are due, and those whose notes were read are not", async () => {
    const { url, clock } = service;
    const worker = await claim(url, "Busy");
    const owners = [await claim(url, "First"), await claim(url, "Second"), await claim(url, "Third")];
    for (const { pair } of owners)
      await call("PUT", `${url}/api/mailbox/webhook`, { url: receiver.url }, pair);
    receiver.answering = () => new Response(null, { status: 503 });
    // Without time one call begins at most.
    const moved = await around(async () => {
      for (const owner of owners) await callJob(url, worker, (await postJob(url, owner)).id, "claim");
    });
    expect(moved("wharf_webhook_calls_due")).toBe(3);
    clock.advance(0.01);
    const oldest = await now("wharf_webhook_oldest_due_seconds");
    expect(oldest).toBeGreaterThan(0);
    for (const { pair } of owners) await post(`${url}/api/mailbox/ack`, { through: 1 }, pair);
    expect(await now("wharf_webhook_calls_due")).toBe(0);
    expect(await now("wharf_webhook_oldest_due_seconds")).toBe(0);
    for (const { pair } of owners) await call("DELETE", `${url}/api/mailbox/webhook`, undefined, pair);
    receiver.answering = () => undefined;
  });

  test("for webhooks: one that sleeps counts as asleep, and its calls are not due, not even its daily one", async () => {
    const own = await startSource({ ...settings, ...calling });
    const { url, clock } = own;
    const seen = async () => {
      const { sum } = await scrape(own.metrics_url!);
      return ["webhooks_asleep", "webhook_calls_due", "webhook_oldest_due_seconds"].map((name) =>
        sum(`wharf_${name}`),
      );
    };
    const who = await claim(url, "Sleeper");
    await call("PUT", `${url}/api/mailbox/webhook`, { url: receiver.url }, who.pair);
    receiver.answering = () => new Response(null, { status: 503, headers: { "retry-after": "999999" } });
    await callJob(url, await claim(url, "Worker"), (await postJob(url, who)).id, "claim");
    await passUntil(own, async () => (await readWebhook(url, who)).call?.next_try_at !== undefined);
    expect((await seen()).slice(0, 2)).toEqual([0, 1]);
    // That is later than a day after the first failure.
    clock.advance(86_400);
    await passUntil(own, async () => (await readWebhook(url, who)).asleep);
    expect(await seen()).toEqual([1, 0, 0]);
    const answer = Promise.withResolvers<undefined>();
    receiver.answering = () => answer.promise;
    const before = receiver.calls.length;
    clock.advance(86_401);
    await passUntil(own, () => receiver.calls.length > before);
    expect(await seen()).toEqual([1, 0, 0]);
    answer.resolve(undefined);
    await passUntil(own, async () => (await seen())[0] === 0);
    expect(await seen()).toEqual([0, 0, 0]);
    await own.stop();
  });

  test("for the beacon: the last round, the age of its value, the days ahead, and whether it is held", async () => {
    const first = await scrape(service.metrics_url!);
    service.clock.advance(90);
    const second = await scrape(service.metrics_url!);
    expect(second.sum("wharf_beacon_last_round") - first.sum("wharf_beacon_last_round")).toBeGreaterThan(0);
    expect(second.sum("wharf_beacon_value_age_seconds")).not.toBe(
      first.sum("wharf_beacon_value_age_seconds"),
    );
    expect(first.sum("wharf_beacon_published_ahead_seconds")).toBeGreaterThan(86_400);
    const passed =
      first.sum("wharf_beacon_published_ahead_seconds") - second.sum("wharf_beacon_published_ahead_seconds");
    expect(passed).toBe(90);
    expect(second.sum("wharf_beacon_held")).toBe(0);
    service.clock.set(new Date(service.clock.now() + 3_600_000).toISOString());
    expect(await now("wharf_beacon_held")).toBe(1);
    service.clock.advance(120);
    expect(await now("wharf_beacon_value_age_seconds")).toBeGreaterThan(119);
  });

  test("for the process", async () => {
    const before = await scrape(service.metrics_url!);
    service.clock.advance(1);
    // By the time of the processor, because a busy machine may give none for a while.
    const started = process.cpuUsage();
    const spentMicroseconds = ({ user, system } = process.cpuUsage(started)) => user + system;
    while (spentMicroseconds() < 20_000);
    const connections = await Promise.all(
      Array.from({ length: 5 }, () =>
        Bun.connect({
          hostname: "127.0.0.1",
          port: Number(new URL(service.url).port),
          socket: { data() {} },
        }),
      ),
    );
    await get(`${service.url}/healthz`);
    const after = await scrape(service.metrics_url!);
    for (const connection of connections) connection.end();
    const moved = (name: string) => after.sum(name) - before.sum(name);
    expect(moved("process_cpu_seconds_total")).toBeGreaterThan(0.019);
    expect(moved("process_open_fds")).toBeGreaterThanOrEqual(5);
    expect(moved("wharf_event_loop_lag_seconds_count")).toBeGreaterThanOrEqual(1);
    expect(after.sum("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(after.sum("process_start_time_seconds")).toBeGreaterThan(1_700_000_000);
    expect(after.sum("wharf_build_info", `bun="${Bun.version}"`)).toBe(1);
    expect(after.sum("wharf_check_failing", 'check="writes"')).toBe(0);
  });

  testOfSqlite("for the files", "the files of Postgres are not the service's", async () => {
    const after = await scrape(service.metrics_url!);
    expect(after.sum("wharf_database_bytes")).toBeGreaterThan(10_000);
    expect(after.sum("wharf_log_bytes")).toBeGreaterThan(10_000);
    expect(after.sum("wharf_disk_free_bytes")).toBeGreaterThan(10_000);
  });
});

describe("the listener", () => {
  test("serves /metrics and nothing else; the public port does not serve it", async () => {
    const base = service.metrics_url!.replace(/\/metrics$/, "");
    expect((await fetch(`${base}/metrics`)).headers.get("content-type")).toStartWith(
      "text/plain; version=0.0.4",
    );
    for (const path of ["/", "/healthz", "/api/meet/rooms", "/metrics/", "/metricsx"]) {
      expect([path, (await fetch(base + path)).status]).toEqual([path, 404]);
    }
    expect((await fetch(`${base}/metrics`, { method: "POST" })).status).toBe(405);
    expect((await send("GET", `${service.url}/metrics`)).status).toBe(404);
  });

  test("is absent by default, stops with the service, and a taken port is an error for the operator", async () => {
    const without = await startSource();
    expect(without.metrics_url).toBeNull();
    await without.stop();
    const own = await startSource(settings);
    const { host } = new URL(own.metrics_url!);
    expect(startSource({ metrics_listen: host })).rejects.toThrow(
      `${host} is taken. Set --metrics-listen to another address and port.`,
    );
    await own.stop();
    expect(fetch(own.metrics_url!)).rejects.toThrow();
  });

  test("counts what is served beside it in no label that a caller chooses", async () => {
    await send("GET", `${service.url}/canary-path?q=canary-query`, {
      "x-wf-name": "canary-name",
      "user-agent": "canary",
    });
    await ask(`${service.url}/mcp`, "tools/call", { name: "canary_tool" });
    expect(await (await fetch(service.metrics_url!)).text()).not.toContain("canary");
  });
});

test("docs/operating.md has a row for each metric", async () => {
  const document = readFileSync(join(import.meta.dir, "../../docs/operating.md"), "utf8");
  const { metrics } = await scrape(service.metrics_url!);
  const rows = Array.from(
    document.matchAll(/^\| `((?:wharf|process)_\w+)` +\| (\w+) +\| (.*?) +\|$/gm),
    (row) => ({
      name: row[1]!,
      type: row[2]!,
      help: row[3]!,
    }),
  );
  // Those of the files are missing with Postgres.
  if (is_on_postgres) expect(rows).toEqual(expect.arrayContaining(metrics));
  else expect(rows).toEqual(metrics);
});
