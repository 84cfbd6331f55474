/** Both doors lead to the same house: scenes are played over HTTP and by tools, and every result and refusal is compared. */

import { describe, expect, test } from "bun:test";
import { error_catalog, type ErrorCode } from "../../src/app/error_catalog.ts";
import { beacon, limited } from "./parity/beacon.ts";
import { jobs } from "./parity/jobs.ts";
import { lockers, names_and_receipts } from "./parity/lockers.ts";
import { rooms } from "./parity/rooms.ts";
import { differences, httpDoor, play, toolDoor, type Outcome, type Scene } from "./parity/scene.ts";
import { translations } from "./parity/translations.ts";
import { get } from "../support/http.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { toolsOf } from "../support/tools.ts";

/** The same address at both, so that links and receipts can be the same; the same seed, so that ids and keys are. */
async function start(scene: Scene): Promise<SourceService> {
  const service = await startSource({ base_url: "http://wharf.test", ...scene.settings });
  // The beacon draws its secret when it begins: before anything else is drawn.
  await get(`${service.url}/api/beacon`);
  return service;
}

async function playOver(
  scene: Scene,
  doorOf: (service: SourceService) => ReturnType<typeof httpDoor>,
): Promise<Outcome[]> {
  const service = await start(scene);
  try {
    return await play(scene, doorOf(service));
  } finally {
    await service.stop();
  }
}

const scenes = [rooms, names_and_receipts, lockers, jobs, beacon, limited];
const credentials_in = ["headers", "arguments"] as const;

interface Played {
  over_http: Outcome[];
  by_tools: Outcome[];
}
const plays = new Map<string, Promise<Played>>();

/** A scene as it was played through both doors; it is played once. */
function played(scene: Scene, credential_in: (typeof credentials_in)[number]): Promise<Played> {
  const key = `${scene.name} ${credential_in}`;
  const play = async () => ({
    over_http: await playOver(scene, httpDoor),
    by_tools: await playOver(scene, (service) => toolDoor(service, credential_in)),
  });
  if (!plays.has(key)) plays.set(key, play());
  return plays.get(key)!;
}
const allPlayed = (): Promise<Played[]> =>
  Promise.all(credentials_in.flatMap((form) => scenes.map((scene) => played(scene, form))));

describe.each(credentials_in)("with keys in %s", (credential_in) => {
  test.each(scenes)("answers the same over HTTP and MCP: $name", async (scene) => {
    const { over_http, by_tools } = await played(scene, credential_in);
    expect(differences(over_http, by_tools)).toEqual([]);
  });
});

test("every tool of the house is in a scene, once done and once refused at least", async () => {
  const service = await start(rooms);
  const names = (await toolsOf(service.url)).map(({ name }) => name).toSorted();
  await service.stop();
  const acts = (await allPlayed()).flatMap(({ by_tools }) => by_tools);
  const toolsWhere = (is: (outcome: Outcome) => boolean) =>
    [...new Set(acts.filter(is).map(({ act }) => act.tool))].toSorted();
  expect(Object.keys(translations).toSorted()).toEqual(names);
  expect(toolsWhere(({ code }) => code === null)).toEqual(names);
  expect(toolsWhere(({ code }) => code !== null)).toEqual(names);
});

test("every failure that an act of both doors can meet is in a scene", async () => {
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
    // Of acts that only HTTP has:
    "host_key_required",
    "wrong_host_key",
    "not_your_post",
    "post_not_found",
    "wrong_recovery_code",
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
  ];
  const met = new Set((await allPlayed()).flatMap(({ by_tools }) => by_tools.map(({ code }) => code)));
  const missing = Object.keys(error_catalog).filter((code) => !met.has(code));
  expect(missing.toSorted()).toEqual(elsewhere.toSorted());
});

test("what one door alone tells is there to be told", async () => {
  const all = await allPlayed();
  for (const [tool, { http_alone = {}, tool_alone = {} }] of Object.entries(translations)) {
    for (const [door, listed] of [
      ["over_http", http_alone],
      ["by_tools", tool_alone],
    ] as const) {
      const seen = new Set(
        all.flatMap((plays) => plays[door].flatMap(({ act, alone }) => (act.tool === tool ? alone : []))),
      );
      expect([tool, door, Object.keys(listed).filter((member) => !seen.has(member))]).toEqual([
        tool,
        door,
        [],
      ]);
    }
  }
});

/** A copy of `value` in which one leaf is another: the one that `pick` counts down to. */
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
          differences(over_http, by_tools.with(i, { ...outcome, ...change }));
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
      const door = toolDoor(service, "headers");
      // A tool that is told one thing and does another.
      return {
        ...door,
        run: (act, args, kept) =>
          door.run(act, act.tool === "job_review" ? { ...args, verdict: "disputed" } : args, kept),
      };
    });
    const found = differences(over_http, by_tools).map((line) => /: (\w+)/.exec(line)![1]);
    expect(found).toContain("job_review");
    expect(found).toContain("mailbox_read");
  });
});
