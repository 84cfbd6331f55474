/** Counts the results of single calls, the definitions of tools and the documents. */

import { question, sample } from "./sample.ts";
import { tokensOf, type Measure } from "./count.ts";
import type { CountedService, Headers, ToolForms } from "./service.ts";

/** A measure for each form of a result. `beside`: texts whose tokens do not count. */
function bothForms(
  what: string,
  forms: ToolForms,
  budget: number,
  per = 1,
  beside: string[] = [],
): Measure[] {
  const measure = (form: string, answer: string): Measure => {
    const content = beside.filter((text) => answer.includes(text) || answer.includes(quotedIn(text)));
    const tokens = tokensOf(answer) - content.reduce((sum, text) => sum + tokensOf(text), 0);
    return { what: `${what}: ${form}`, tokens: tokens / per, budget };
  };
  return [measure("text", forms.text), measure("structuredContent", forms.structured)];
}

/** A text as it stands in JSON. */
const quotedIn = (text: string): string => JSON.stringify(text).slice(1, -1);

const cursorIn = ({ structured }: ToolForms): string | number =>
  (JSON.parse(structured) as { next_since: string | number }).next_since;

/** Short texts of the sample, as notes quote them. */
const short_texts = sample.map(({ text }) => text).filter((text) => text.length <= 190);
const goals = [
  "Which TOML library keeps comments?",
  "How do we name the release job?",
  "Review of the parser change",
  "Who can reproduce the CRLF bug?",
  "Plan for the next release",
];
const tasks = [
  "Find a name for a TOML library",
  "Check 412 files for changed bytes",
  "Translate the manual page",
];

/** Claims a name with the tool and returns the headers that show its key. */
async function claim(
  { tool }: CountedService,
  name: string,
): Promise<{ forms: ToolForms; headers: Headers }> {
  const forms = await tool("name_claim", { name });
  const { key } = JSON.parse(forms.structured) as { key: string };
  return { forms, headers: { "x-wf-name": name, "x-wf-key": key } };
}

export async function singleCalls(service: CountedService): Promise<Measure[]> {
  const { tool, clock } = service;
  const owner = await claim(service, "mia");
  const worker = await claim(service, "otto-2");
  const question_room = await tool("meet_ask", { question, name: "mia" }, owner.headers);
  const room = await openRoom(service, question);
  const speak = (body: string, more: object = {}) =>
    tool("meet_speak", { room, name: "Linus", body, ...more });
  const spoken = await speak(sample[1]!.text);
  const since = cursorIn(await tool("meet_read", { room }));
  const nothing_missed = await speak(sample[2]!.text, { since });

  const read_through = cursorIn(await tool("meet_read", { room }));
  const held = tool("meet_read", { room, since: read_through, wait_seconds: 50 });
  await clock.timerAt(50);
  clock.advance(50);
  const waited = await held;

  const held_by_wait = tool("wait", { rooms: { [room]: read_through }, wait_seconds: 50 });
  await clock.timerAt(50);
  clock.advance(50);
  const waited_for_all = await held_by_wait;

  const notes = await fillMailbox(service, owner.headers, worker.headers);
  const round = Math.floor(clock.now() / 60_000) - 1;
  return [
    ...bothForms("an empty wait in a room", waited, 65),
    ...bothForms("an empty wait for everything", waited_for_all, 65),
    ...bothForms("meet_speak without since", spoken, 70),
    ...bothForms("meet_speak, nothing missed", nothing_missed, 70),
    ...bothForms("meet_ask", question_room, 200),
    ...bothForms("name_claim", owner.forms, 160),
    ...bothForms("beacon", await tool("beacon", {}), 200),
    ...bothForms("beacon, a round with a label", await tool("beacon", { round, label: "x" }), 200),
    ...bothForms("mailbox_read, a note around its content", notes.forms, 30, notes.count, notes.content),
  ];
}

const openRoom = async ({ post }: CountedService, goal: string): Promise<string> =>
  (await post<{ slug: string }>("/api/meet/rooms", { goal, name: "Margaret H" })).slug;

/** Mentions in some rooms, and jobs that were taken and delivered: what the owner of a mailbox finds in the morning. */
async function fillMailbox(service: CountedService, owner: Headers, worker: Headers) {
  const { post, clock, tool } = service;
  const content: string[] = [];
  for (const [i, goal] of goals.entries()) {
    const room = await openRoom(service, goal);
    const body = `@mia ${short_texts[i]}`;
    // A note names the room and who wrote there.
    content.push(room, body, "Linus");
    clock.advance(97);
    await post(`/api/meet/rooms/${room}/posts`, { name: "Linus", body });
  }
  for (const title of tasks) {
    const { id } = await post<{ id: string }>("/api/jobs", { title, detail: short_texts.at(-1)! }, owner);
    clock.advance(61);
    const { claim_no } = await post<{ claim_no: number }>(`/api/jobs/${id}/claim`, {}, worker);
    clock.advance(61);
    const result = `Done: ${short_texts.at(-2)}`;
    await post(`/api/jobs/${id}/deliver`, { claim_no, result }, worker);
    // The claim and the delivery are a note each, and each names who made it.
    content.push(title, title, id, id, worker["x-wf-name"]!, worker["x-wf-name"]!, result);
  }
  return {
    forms: await tool("mailbox_read", {}, owner),
    content,
    count: goals.length + 2 * tasks.length,
  };
}

/** After /llms.txt, with which an agent asks and answers: to wait, to claim a name, to read the mailbox. Then one job or toss. */
const first_parts = ["rooms-read", "names-claim", "mailbox-read"];

/** The definitions of the tools, and the documents for agents. */
export async function documents({ get, tools }: CountedService): Promise<Measure[]> {
  const [all, lobby] = [await tools("/mcp"), await tools("/mcp/meet")];
  const inputs = (of: typeof all) => of.map(({ outputSchema: _output, ...definition }) => definition);
  const definitions = (what: string, of: object[], budget?: number): Measure => ({
    what,
    tokens: tokensOf(JSON.stringify(of)),
    ...(budget !== undefined && { budget }),
  });
  const sections = /\]\([^)]*?(\/api\/[^)]+\.md)\)/g;
  const paths = Array.from((await get("/api.md")).matchAll(sections), ([, path]) => path!);
  const read = async (path: string, budget?: number): Promise<Measure> => ({
    what: path,
    tokens: tokensOf(await get(path)),
    ...(budget !== undefined && { budget }),
  });
  const together = async (what: string, budget: number, read: string[]): Promise<Measure> => ({
    what,
    tokens: (await Promise.all(read.map(async (path) => tokensOf(await get(path))))).reduce((a, b) => a + b),
    budget,
  });
  return [
    definitions("all tools, without output schemas", inputs(all), 3_950),
    definitions("all tools, with output schemas", all),
    definitions("the tools of the lobby, without output schemas", inputs(lobby), 1_150),
    definitions("the tools of the lobby, with output schemas", lobby),
    await together("a first act: /llms.txt", 1_400, ["/llms.txt"]),
    ...(await Promise.all(
      ["jobs-take", "jobs-post", "beacon-toss"].map((last) =>
        together(`a first hour: /llms.txt, ${[...first_parts, last].join(", ")}`, 5_000, [
          "/llms.txt",
          ...[...first_parts, last].map((part) => `/api/docs/${part}.md`),
        ]),
      ),
    )),
    await together("a first hour: /llms.txt, /SKILL.md", 5_000, ["/llms.txt", "/SKILL.md"]),
    await read("/SKILL.md"),
    await read("/api.md", 1_500),
    ...(await Promise.all(paths.map((path) => read(path, 1_500)))),
  ];
}
