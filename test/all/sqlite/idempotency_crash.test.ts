/** `kill -9` between commit and answer: a repeated call with the same key returns the secret, and the secret works. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { sha256Hex } from "../../../src/core/secrets.ts";
import { freePort } from "../../support/free_port.ts";
import { post, type Answer } from "../../support/http.ts";
import { message, type Rpc } from "../../support/mcp_messages.ts";
import { claim, holder, type Holder } from "../../support/names.ts";
import { testRandom } from "../../support/seed.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

const kills = Number(process.env.WHARF_TEST_KILLS ?? 10);
const of_each_kind = 8;

/** The members of answers that issue secrets. Each answer has some of them. */
interface Given {
  name: string;
  key: string | null;
  recovery_code: string | null;
  api: string;
  host_key: string | null;
}

type Kind = "claim" | "rotate" | "recover" | "open" | "name_claim" | "meet_speak";

interface Call {
  kind: Kind;
  path: string;
  body?: object;
  headers: Record<string, string>;
  /** Reads from the file whether the killed process had committed the call. */
  wasDone(database: Database): boolean;
  /** The first answer; null if the connection broke. */
  answer: Answer<Given> | null;
}

/** Whether the call is one of a tool, with the argument `once`. */
const isTool = ({ kind }: Call): boolean => kind === "name_claim" || kind === "meet_speak";

/** A tool call for the body of a request. */
const tool = (name: Kind, args: object) =>
  message("tools/call", { name, arguments: { ...args, once: crypto.randomUUID() } });

/** The members of an answer: of the result of a tool, or of the body. */
function givenIn(call: Call, { body }: Answer<Given>): Given {
  if (!isTool(call)) return body;
  const { structuredContent } = (body as unknown as Rpc<{ structuredContent: Given & { replayed?: true } }>)
    .result!;
  delete structuredContent.replayed;
  return structuredContent;
}

const keyed = () => ({ "idempotency-key": crypto.randomUUID() });

/** Calls of every kind that issues a secret, not sent yet. */
async function prepare(url: string, round: number): Promise<Call[]> {
  const calls: Call[] = [];
  const hasKey = (database: Database, name: string, but_not: string) =>
    database.query("SELECT 1 FROM names WHERE name = ? AND key_sha256 <> ?").get(name, but_not) !== null;
  for (let n = 0; n < of_each_kind; n++) {
    const name = `claimed ${round} ${n}`;
    const goal = `opened ${round} ${n}`;
    const [rotating, lost]: Holder[] = [
      await claim(url, `rotating ${round} ${n}`),
      await claim(url, `lost ${round} ${n}`),
    ] as const;
    const { recovery_code } = lost!;
    const room = { goal: `spoken in ${round} ${n}`, name: "host" };
    const { slug } = (await post<{ slug: string }>(`${url}/api/meet/rooms`, room)).body;
    calls.push(
      {
        kind: "claim",
        path: "/api/name",
        body: { name },
        headers: keyed(),
        wasDone: (database) => hasKey(database, name, ""),
        answer: null,
      },
      {
        kind: "rotate",
        path: "/api/name/rotate",
        headers: { ...(n % 2 ? rotating!.pair : rotating!.bearer), ...keyed() },
        wasDone: (database) => hasKey(database, rotating!.name, sha256Hex(rotating!.key)),
        answer: null,
      },
      {
        kind: "recover",
        path: "/api/name/recover",
        body: { name: lost!.name, recovery_code },
        headers: keyed(),
        wasDone: (database) => hasKey(database, lost!.name, sha256Hex(lost!.key)),
        answer: null,
      },
      {
        kind: "open",
        path: "/api/meet/rooms",
        body: { goal, name: "host" },
        headers: keyed(),
        wasDone: (database) => database.query("SELECT 1 FROM rooms WHERE goal = ?").get(goal) !== null,
        answer: null,
      },
      {
        kind: "name_claim",
        path: "/mcp",
        body: tool("name_claim", { name: `tool ${name}` }),
        headers: {},
        wasDone: (database) => hasKey(database, `tool ${name}`, ""),
        answer: null,
      },
      {
        kind: "meet_speak",
        path: "/mcp",
        body: tool("meet_speak", { room: slug, name: "speaker", body: goal }),
        headers: {},
        wasDone: (database) => database.query("SELECT 1 FROM posts WHERE body = ?").get(goal) !== null,
        answer: null,
      },
    );
  }
  return calls;
}

/** Expects the secrets of an answer to work. */
async function expectToWork(url: string, { kind, body: sent }: Call, given: Given): Promise<void> {
  if (kind === "open") {
    const closed = await post(`${given.api}/close`, undefined, { "x-meet-key": given.host_key ?? "none" });
    expect([kind, closed.status]).toEqual([kind, 200]);
    return;
  }
  if (kind === "meet_speak") return;
  const { pair } = holder(given.name, given.key ?? "none");
  expect([kind, sent, (await post(`${url}/api/name/whoami`, undefined, pair)).status]).toEqual([
    kind,
    sent,
    200,
  ]);
  if (kind === "rotate") return;
  const { name, recovery_code } = given;
  expect((await post(`${url}/api/name/recover`, { name, recovery_code })).status).toBe(200);
}

/** In another order, so that no kind is always the first to be answered (Fisher and Yates). */
function shuffled<Item>(items: Item[], below: (end: number) => number): Item[] {
  for (let end = items.length; end > 1; end--) {
    const other = below(end);
    [items[end - 1], items[other]] = [items[other]!, items[end - 1]!];
  }
  return items;
}

test(`loses no secret on kill -9 between commit and answer, ${kills} times or until each kind of call was hit`, async () => {
  const { below } = testRandom("kill -9 between commit and answer");
  const data_dir = newDirectory();
  const port = await freePort();
  let service = await startBinary({ data_dir, port });
  const { url } = service;
  const stranded = { claim: 0, rotate: 0, recover: 0, open: 0, name_claim: 0, meet_speak: 0 };

  const isMissing = () => Object.values(stranded).includes(0);
  let round = 0;
  // Which calls a kill hits depends on the machine.
  for (; round < kills || (isMissing() && round < 10 * kills); round++) {
    const calls = shuffled(await prepare(url, round), below);
    const send = (call: Call) => post<Given>(url + call.path, call.body, call.headers);
    const enough = 1 + below(of_each_kind);
    const reached = Promise.withResolvers<void>();
    let answered = 0;
    const sending = calls.map(async (call) => {
      call.answer = await send(call).catch(() => null);
      if (++answered === enough) reached.resolve();
    });
    await reached.promise;
    service.process.kill("SIGKILL");
    await service.process.exited;
    await Promise.all(sending);

    const database = new Database(join(data_dir, "wharf.db"), { readonly: true });
    for (const call of calls) if (!call.answer && call.wasDone(database)) stranded[call.kind]++;
    database.close();
    service = await startBinary({ data_dir, port });
    for (const call of calls) {
      const repeated = await send(call);
      expect([call.kind, repeated.status]).toEqual([
        call.kind,
        call.kind === "claim" || call.kind === "open" ? 201 : 200,
      ]);
      const given = givenIn(call, repeated);
      if (call.answer) expect(given).toEqual(givenIn(call, call.answer));
      await expectToWork(url, call, given);
    }
    const posts = new Database(join(data_dir, "wharf.db"), { readonly: true });
    const twice = posts.query("SELECT body FROM posts GROUP BY body HAVING COUNT(*) > 1").all();
    expect(twice).toEqual([]);
    posts.close();
  }
  console.log(`${round} kills; done, killed before the answer, and repeated: ${JSON.stringify(stranded)}`);
  for (const [kind, count] of Object.entries(stranded)) expect([kind, count > 0]).toEqual([kind, true]);
  await service.stop();
  removeDirectory(data_dir);
}, 600_000);
