/** Agents on seven MCP clients that others wrote do one task at /mcp, from what their clients show them. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { agents, type Form } from "../support/agents.ts";
import { install_timeout_ms, python_versions, pythonWith } from "../support/python.ts";
import { reader, type Reader } from "../support/reading.ts";
import { startBinary, startSource, type TestService } from "../support/service.ts";

interface Setting extends TestService {
  /** Resolves when a call waits for 50 seconds. The binary cannot report that, so there it resolves at once. */
  somebodyWaits(): Promise<void>;
  /** Advances time. */
  pass(seconds: number): Promise<void>;
}

/** The source on a clock that only tests move; the binary on the real one, with rounds of a second. */
const settings: [string, () => Promise<Setting>][] = [
  [
    "source",
    async () => {
      const service = await startSource();
      const { clock } = service;
      const pass = (seconds: number) => Promise.resolve(clock.advance(seconds));
      return { ...service, somebodyWaits: () => clock.timerAt(50), pass };
    },
  ],
  [
    "binary",
    async () => {
      const service = await startBinary({ round_seconds: 1 });
      const pass = (seconds: number) => Bun.sleep(seconds * 1000);
      return { ...service, somebodyWaits: () => Promise.resolve(), pass };
    },
  ],
];

const service_tools = [
  "beacon",
  "job_claim",
  "job_deliver",
  "job_post",
  "job_read",
  "job_review",
  "job_update",
  "jobs_list",
  "lease_release",
  "lease_take",
  "locker_delete",
  "locker_get",
  "locker_list",
  "locker_put",
  "mailbox_ack",
  "mailbox_read",
  "meet_answer",
  "meet_ask",
  "meet_close",
  "meet_open",
  "meet_read",
  "meet_rooms",
  "meet_speak",
  "name_claim",
  "name_lookup",
  "name_recover",
  "receipt_verify",
  "wait",
];

beforeAll(() => {
  for (const version of python_versions) pythonWith(version);
}, install_timeout_ms);

const forms: Form[] = ["content", "structuredContent"];
/** A process is started for each call of mcporter, about 31 of a task, on a machine that may be slow. */
const task_ms = 31 * 10_000;

describe.each(settings)("%s", (_, start) => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await start();
  });
  afterAll(() => setting.stop());
  // The rooms and jobs of a failed task are older than those of the next one.
  afterEach(() => setting.pass(0.01));

  describe.each(agents)("%s", (client, connect) => {
    test.each(forms)(
      "does the whole task from %s alone",
      async (form) => {
        const url = `${setting.url}/mcp`;
        const [one, other] = await Promise.all([connect(url, form), connect(url, form)]);
        expect(one.tools.toSorted()).toEqual(service_tools);
        const called = `on ${client.replace(/\W+/g, "-")} by ${form}`;
        const names = [`Ada ${called}`, `Grace ${called}`] as const;
        await doTheTask(reader(one, form), reader(other, form), names, setting);
        await Promise.all([one.close(), other.close()]);
      },
      task_ms,
    );
  });
});

interface Somebody extends Reader {
  /** The credentials that they send. */
  known: { name: string; key: string };
}

/** The task of Ada and Grace. Every value comes from what their clients showed, or from each other. */
async function doTheTask(
  one: Reader,
  other: Reader,
  names: readonly [string, string],
  setting: Setting,
): Promise<void> {
  const [ada, grace] = await Promise.all([claimName(one, names[0]), claimName(other, names[1])]);
  await openRoom(ada);
  await askAndAnswer(ada, grace, setting);
  await keepNote(ada);
  const receipts = await workForEachOther(ada, grace);
  await readMailbox(ada);
  await draw(ada, grace, setting);
  await verify(grace, receipts);
}

async function claimName(somebody: Reader, name: string): Promise<Somebody> {
  const claimed = await somebody.does("name_claim", { name });
  return { ...somebody, known: { name, key: claimed.at("key") } };
}

async function openRoom({ does, known }: Somebody): Promise<void> {
  const opened = await does("meet_open", { ...known, goal: "A place for tea" });
  await does("meet_speak", { ...known, room: opened.at("room"), body: "Come in." });
}

/** Ada asks and waits; Grace finds the room, reads and answers; that ends Ada's wait. */
async function askAndAnswer(ada: Somebody, grace: Somebody, { somebodyWaits }: Setting): Promise<void> {
  const question = await ada.does("meet_ask", { ...ada.known, question: "How hot should `tea` be?" });
  const wait = { room: question.at("room"), since: question.at("next_since"), wait_seconds: 50 };
  const waiting = ada.does("meet_read", wait);
  await somebodyWaits();

  const found = await grace.does("meet_rooms", {});
  expect(found.text("goal")).toBe("How hot should `tea` be?");
  const room = found.at("first_room");
  const read = await grace.does("meet_read", { room });
  const [since, in_reply_to] = [read.at("next_since"), read.at("first_post")];
  expect(in_reply_to).toBe(question.at("question_post"));
  await grace.does("meet_answer", { ...grace.known, room, since, in_reply_to, body: "Just below\nboiling." });

  const heard = await waiting;
  expect(heard.text("last_post")).toBe("Just below\nboiling.");
  expect(heard.at("replies_to")).toBe(question.at("question_post"));
}

async function keepNote({ does, known }: Somebody): Promise<void> {
  await does("locker_put", { ...known, slot: "tea/hot", value: "Just below\nboiling." });
  const stored = await does("locker_get", { ...known, slot: "tea/hot" });
  expect(stored.at("own_value")).toBe("Just below\nboiling.");
}

/** Ada posts a job, Grace does it, Ada accepts. The receipts of both: for the delivery and for its acceptance. */
async function workForEachOther(ada: Somebody, grace: Somebody): Promise<string[]> {
  const job = { title: "Boil water", detail: "A litre, please." };
  const posted = await ada.does("job_post", { ...ada.known, ...job, receipt: true });
  const id = posted.at("job");
  const board = await grace.does("jobs_list", { state: "open" });
  expect(board.at("first_job")).toBe(id);
  const claimed = await grace.does("job_claim", { ...grace.known, id });
  const deliver = { id, claim_no: Number(claimed.at("claim_no")), result: "It boils." };
  const delivered = await grace.does("job_deliver", { ...grace.known, ...deliver });

  expect((await ada.does("job_read", { id })).text("result")).toBe("It boils.");
  const reviewed = await ada.does("job_review", { ...ada.known, id, verdict: "accepted" });
  expect(reviewed.at("verdict")).toBe("accepted");
  const news = await grace.does("mailbox_read", { ...grace.known, receipt: true });
  expect(news.kinds()).toEqual(["job.reviewed"]);
  expect(news.at("note_receipt")).toBe(reviewed.at("receipt"));
  return [posted.at("receipt"), delivered.at("receipt"), reviewed.at("receipt")];
}

async function readMailbox({ does, known }: Somebody): Promise<void> {
  const read = await does("mailbox_read", { ...known });
  expect(read.kinds()).toEqual(["room.reply", "job.claimed", "job.delivered"]);
  const marked = await does("mailbox_ack", { ...known, ...read.next("mailbox_ack") });
  expect(marked.at("unread")).toBe("0");
}

/** They agree on a coming round and a label, wait as long as a `not_yet` refusal says, and draw the same. */
async function draw(ada: Somebody, grace: Somebody, { pass }: Setting): Promise<void> {
  const seen = await ada.does("beacon", {});
  expect(seen.next("beacon")).toEqual({ label: "…", heads: "…", tails: "…" });
  const agreed = { round: Number(seen.at("running_round")) + 2, label: "who pours?" };
  const drawn = await ada.does("beacon", agreed, (words) => {
    expect(words).toContain("Refused (not_yet)");
    return pass(Number(/Wait (\d+) seconds/.exec(words)![1]));
  });
  const commit = createHash("sha256").update(drawn.at("seed")).digest("hex");
  expect(commit).toBe(seen.at("coming_commit"));
  expect((await grace.does("beacon", agreed)).at("drawn")).toBe(drawn.at("drawn"));
}

/** The holder of a receipt can read its payload; a changed receipt is invalid. */
async function verify({ does }: Somebody, receipts: string[]): Promise<void> {
  const check = (receipt: string) => does("receipt_verify", { receipt });
  const [changed, ...checked] = await Promise.all([`${receipts[0]}A`, ...receipts].map(check));
  expect(changed!.at("verdict")).toBe("invalid");
  expect(checked.map((seen) => seen.at("verdict"))).toEqual(["valid", "valid", "valid"]);
  const payloads = checked.map((seen) => JSON.parse(seen.text("payload")) as { act: string; sha256: string });
  expect(payloads.map(({ act }) => act)).toEqual(["job.post", "job.deliver", "job.accept"]);
  const sha256 = createHash("sha256").update("It boils.").digest("hex");
  expect(payloads.slice(1).map((payload) => payload.sha256)).toEqual([sha256, sha256]);
}
