/** The same scenes are played over HTTP and with MCP tools, and every result and refusal is compared. */

import { describe, expect, test } from "bun:test";
import { webhook_errors } from "../../src/webhooks/errors.ts";
import { admin_errors } from "../../src/admin/errors.ts";
import { error_catalog, type ErrorCode } from "../../src/app/error_catalog.ts";
import { beacon, limited } from "./parity/beacon.ts";
import { jobs } from "./parity/jobs.ts";
import { leases } from "./parity/leases.ts";
import { lockers, names_and_receipts } from "./parity/lockers.ts";
import { private_rooms } from "./parity/private_rooms.ts";
import { rooms } from "./parity/rooms.ts";
import { waits } from "./parity/waits.ts";
import { differences, overHttp, play, overTools, type Outcome, type Scene } from "./parity/scene.ts";
import { translations } from "./parity/translations.ts";
import { get } from "../support/http.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { toolsOf } from "../support/tools.ts";

/**
 * Both services have the same address, so that links and receipts are equal, and the same seed, so that ids and keys are. A
 * refused call must draw as many random values over one transport as over the other, or every later id differs.
 */
async function start(scene: Scene): Promise<SourceService> {
  const service = await startSource({ base_url: "http://wharf.test", ...scene.settings });
  // The beacon draws its secret at its first call. Make that the first draw in both services.
  await get(`${service.url}/api/beacon`);
  return service;
}

async function playOver(
  scene: Scene,
  transportOf: (service: SourceService) => ReturnType<typeof overHttp>,
): Promise<Outcome[]> {
  const service = await start(scene);
  try {
    return await play(scene, transportOf(service));
  } finally {
    await service.stop();
  }
}

const scenes = [rooms, private_rooms, leases, names_and_receipts, lockers, jobs, waits, beacon, limited];
const credentials_in = ["headers", "arguments"] as const;

interface Played {
  over_http: Outcome[];
  by_tools: Outcome[];
}
const plays = new Map<string, Promise<Outcome[]>>();
function once(key: string, play: () => Promise<Outcome[]>): Promise<Outcome[]> {
  if (!plays.has(key)) plays.set(key, play());
  return plays.get(key)!;
}

/** The outcomes of a scene over both transports. It is played once over HTTP, and once by tools with keys in each place. */
const played = async (scene: Scene, credential_in: (typeof credentials_in)[number]): Promise<Played> => ({
  over_http: await once(scene.name, () => playOver(scene, overHttp)),
  by_tools: await once(`${scene.name} ${credential_in}`, () =>
    playOver(scene, (service) => overTools(service, credential_in)),
  ),
});
const allPlayed = (): Promise<Played[]> =>
  Promise.all(credentials_in.flatMap((form) => scenes.map((scene) => played(scene, form))));

describe.each(credentials_in)("with keys in %s", (credential_in) => {
  test.each(scenes)("answers the same over HTTP and MCP: $name", async (scene) => {
    const { over_http, by_tools } = await played(scene, credential_in);
    expect(differences(over_http, by_tools)).toEqual([]);
  });
});

test("plays every tool at least once with a result and once with a refusal", async () => {
  const service = await start(rooms);
  const names = (await toolsOf(service.url)).map(({ name }) => name).toSorted();
  await service.stop();
  const outcomes = (await allPlayed()).flatMap(({ by_tools }) => by_tools);
  const toolsWhere = (is: (outcome: Outcome) => boolean) =>
    [...new Set(outcomes.filter(is).map(({ step }) => step.tool))].toSorted();
  expect(Object.keys(translations).toSorted()).toEqual(names);
  expect(toolsWhere(({ code }) => code === null)).toEqual(names);
  expect(toolsWhere(({ code }) => code !== null)).toEqual(names);
});

test("plays every error that a call of both transports can meet", async () => {
  const elsewhere: ErrorCode[] = [
    // Of HTTP as a protocol:
    "malformed_json",
    "malformed_form",
    "malformed_request",
    "path_not_found",
    "method_not_allowed",
    "unknown_method",
    "answers_busy",
    "not_acceptable",
    "body_too_large",
    "unsupported_media_type",
    "host_not_served",
    "origin_refused",
    "idempotency_in_progress",
    "idempotency_key_reused",
    // Of calls that only HTTP has:
    "not_your_post",
    "member_not_claimed",
    "member_not_found",
    "too_many_members",
    "last_host",
    "post_not_found",
    "nothing_to_report",
    "scope_missing",
    "reports_full",
    "grant_not_found",
    // Webhooks have no tools: a stranger's text could make an agent set one.
    ...(Object.keys(webhook_errors) as ErrorCode[]),
    // Of what is open at the same time (test/scenarios/address_budgets.test.ts):
    "too_many_open",
    // Of the machine:
    "internal",
    "storage_busy",
    "storage_corrupt",
    "storage_failed",
    "storage_full",
    "disk_budget",
    "search_busy",
    "search_timeout",
    "stopping",
    // Of the rules for old posts (test/rooms/removed_posts.test.ts):
    "post_removed",
    // Of the policy of an instance (who_may.test.ts and test/names/invites.test.ts):
    "claims_closed",
    "invite_required",
    "invite_refused",
    // Of the admin API, which has no tools:
    ...(Object.keys(admin_errors) as ErrorCode[]),
    "backup_running",
    "invite_not_found",
    "client_not_found",
    "cannot_ban",
    "too_many_bans",
    "post_not_hidden",
    "report_not_found",
    // After an action of an admin (test/admin, moderation.test.ts):
    "address_banned",
    "name_suspended",
    "room_deleted",
    // Of a copied database (test/beacon):
    "not_issued",
  ];
  const met = new Set((await allPlayed()).flatMap(({ by_tools }) => by_tools.map(({ code }) => code)));
  const missing = Object.keys(error_catalog).filter((code) => !met.has(code));
  expect(missing.toSorted()).toEqual(elsewhere.toSorted());
});

test("advises after each limit what to do next, over each transport", async () => {
  for (const { over_http, by_tools } of await allPlayed()) {
    for (const [i, { code, next, step }] of by_tools.entries()) {
      if (code === null || error_catalog[code as ErrorCode].kind !== "limited") continue;
      expect([code, over_http[i]!.next]).toEqual([code, expect.any(String)]);
      expect([code, next]).not.toEqual([code, `Call ${step.tool} again.`]);
    }
  }
});

test("lists no member as one transport's own that it never returns", async () => {
  const all = await allPlayed();
  for (const [tool, { http_alone = {}, tool_alone = {} }] of Object.entries(translations)) {
    for (const [transport, listed] of [
      ["over_http", http_alone],
      ["by_tools", tool_alone],
    ] as const) {
      const seen = new Set(
        all.flatMap((plays) =>
          plays[transport].flatMap(({ step, alone }) => (step.tool === tool ? alone : [])),
        ),
      );
      expect([tool, transport, Object.keys(listed).filter((member) => !seen.has(member))]).toEqual([
        tool,
        transport,
        [],
      ]);
    }
  }
});

/** A copy of `value` with one leaf changed: the one that `pick` counts down to. */
function altered(value: unknown, pick: { left: number }): unknown {
  if (typeof value !== "object" || value === null) {
    if (pick.left-- !== 0) return value;
    return typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : `${String(value)}!`;
  }
  if (Array.isArray(value)) return value.map((item) => altered(item, pick));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, altered(member, pick)]));
}

describe("a planted difference is found", () => {
  test("in any member of any result, in any refusal", async () => {
    for (const { over_http, by_tools } of await allPlayed()) {
      for (const [i, outcome] of by_tools.entries()) {
        const planted = (change: Partial<Outcome>) =>
          differences([over_http[i]!], [{ ...outcome, ...change }]);
        if (outcome.code !== null) {
          expect(planted({ code: null, said: "" })).toHaveLength(1);
          expect(planted({ code: "internal" })).toHaveLength(1);
          expect(planted({ said: `${outcome.said}!` })).toHaveLength(1);
          continue;
        }
        expect(planted({ code: "internal" })).toHaveLength(1);
        for (let leaf = 0; leaf < 100; leaf++) {
          const pick = { left: leaf };
          const result = altered(outcome.result, pick) as Outcome["result"];
          if (pick.left >= 0) break;
          expect(planted({ result })).toHaveLength(1);
        }
      }
    }
  });

  test("in what a call leaves behind", async () => {
    const { over_http } = await played(jobs, "headers");
    const by_tools = await playOver(jobs, (service) => {
      const transport = overTools(service, "headers");
      // A tool that does something else than its arguments request.
      return {
        ...transport,
        run: (step, args, saved) =>
          transport.run(step, step.tool === "job_review" ? { ...args, verdict: "disputed" } : args, saved),
      };
    });
    const found = differences(over_http, by_tools).map((line) => /: (\w+)/.exec(line)![1]);
    expect(found).toContain("job_review");
    expect(found).toContain("mailbox_read");
  });
});
