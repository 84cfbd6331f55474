/** How many calls an agent makes for a task, over HTTP and with tools: each call is a turn that it pays for. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sha256Hex } from "../../src/core/secrets.ts";
import { call } from "../support/http.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool } from "../support/tools.ts";

let service: SourceService;
beforeAll(async () => {
  service = await startSource();
});
afterAll(() => service.stop());

/** The first member with this name in an answer, at any depth. */
function member(answer: unknown, name: string): unknown {
  if (typeof answer !== "object" || answer === null) return undefined;
  if (Object.hasOwn(answer, name)) return (answer as Record<string, unknown>)[name];
  for (const value of Object.values(answer)) {
    const found = member(value, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An agent. Its calls are counted by the name of the tool, or by the method and the last part of the path. */
class Agent {
  readonly calls: string[] = [];
  #headers: Record<string, string> = {};

  /** Claims a name, which does not count: an agent does it once. */
  async claim(name: string): Promise<this> {
    const { body } = await call<{ key: string }>("POST", `${service.url}/api/name`, { name });
    this.#headers = { "x-wf-name": name, "x-wf-key": body.key };
    return this;
  }

  async tool(name: string, args: object): Promise<unknown> {
    this.calls.push(name);
    const { structuredContent, isError, content } = await callTool(service.url, name, args, this.#headers);
    expect([name, isError, content[0]!.text]).toEqual([name, undefined, expect.any(String)]);
    return structuredContent;
  }

  async http(method: string, path: string, body?: object): Promise<unknown> {
    const [, last] = /([^/?]+)(?:\?.*)?$/.exec(path)!;
    this.calls.push(`${method} ${last}`);
    const answer = await call(method, service.url + path, body, this.#headers);
    expect([path, answer.status >= 200 && answer.status < 300]).toEqual([path, true]);
    return answer.body;
  }
}

/** Begins `wait`, lets others act once it is held, and returns its answer. */
async function meanwhile<Answer>(wait: Promise<Answer>, act: () => Promise<unknown>): Promise<Answer> {
  await service.clock.timerAt(50);
  await act();
  return wait;
}

const post = (room: string, body: string, name = "Eve") =>
  call("POST", `${service.url}/api/meet/rooms/${room}/posts`, { name, body });

/** The slug of a new room that somebody else has opened, with a question in it. */
async function givenRoom(goal: string): Promise<string> {
  const { body } = await call<{ slug: string }>("POST", `${service.url}/api/meet/rooms`, {
    goal,
    name: "Eve",
  });
  await post(body.slug, goal);
  return body.slug;
}

describe("asking, and getting the first answer", () => {
  test("takes one tool call", async () => {
    const ada = new Agent();
    const question = { question: "Who answers first?", name: "Ada", wait_seconds: 50 };
    const answer = await meanwhile(ada.tool("meet_ask", question), () => post("who-answers-first", "I do."));
    expect(JSON.stringify(answer)).toContain("I do.");
    expect(ada.calls).toEqual(["meet_ask"]);
  });

  test("takes two calls over HTTP", async () => {
    const ada = new Agent();
    const room = member(
      await ada.http("POST", "/api/meet/rooms", { goal: "Who is second?", name: "Ada" }),
      "slug",
    ) as string;
    const wait = ada.http("GET", `/api/meet/rooms/${room}?since=0&wait_seconds=50`);
    expect(JSON.stringify(await meanwhile(wait, () => post(room, "Me.")))).toContain("Me.");
    expect(ada.calls).toHaveLength(2);
  });
});

describe("answering a question whose address was given", () => {
  test("takes two tool calls", async () => {
    const room = await givenRoom("What is two and two?");
    const ada = new Agent();
    const read = await ada.tool("meet_read", { room: `${service.url}/meet/r/${room}` });
    const since = member(read, "next_since");
    await ada.tool("meet_answer", { room, name: "Ada", body: "Four.", since });
    expect(ada.calls).toEqual(["meet_read", "meet_answer"]);
  });

  test("takes two calls over HTTP", async () => {
    const room = await givenRoom("What is three and three?");
    const ada = new Agent();
    const read = await ada.http("GET", `/api/meet/rooms/${room}`);
    const answer = { name: "Ada", body: "Six.", in_reply_to: 1, since: member(read, "next_since") };
    await ada.http("POST", `/api/meet/rooms/${room}/posts`, answer);
    expect(ada.calls).toHaveLength(2);
  });
});

describe("catching up on a room", () => {
  let room: string;
  beforeAll(async () => {
    room = await givenRoom("What did I miss?");
    for (const word of ["one", "two", "three"]) await post(room, word);
  });

  test("takes one tool call", async () => {
    const ada = new Agent();
    const read = await ada.tool("meet_read", { room, since: 1 });
    for (const word of ["one", "two", "three"]) expect(JSON.stringify(read)).toContain(word);
    expect(ada.calls).toEqual(["meet_read"]);
  });

  test("takes one call over HTTP", async () => {
    const ada = new Agent();
    const read = await ada.http("GET", `/api/meet/rooms/${room}?since=1`);
    for (const word of ["one", "two", "three"]) expect(JSON.stringify(read)).toContain(word);
    expect(ada.calls).toHaveLength(1);
  });
});

/** A result that is longer than an excerpt. */
const result = "A long result. ".repeat(40).trim();

/** Another name takes the job and delivers it. */
async function deliver(worker: string, id: string): Promise<void> {
  const other = await new Agent().claim(worker);
  await other.http("POST", `/api/jobs/${id}/claim`, {});
  await other.http("POST", `/api/jobs/${id}/deliver`, { result });
}

const waits = (calls: string[]): string[] => calls.filter((name) => /mailbox|wait/.test(name));

describe("handing over a job, and getting its result", () => {
  const job = { title: "Write a lot", detail: "As much as you can." };

  test("takes two tool calls and the waits", async () => {
    const ada = await new Agent().claim("ada-hands-over");
    const id = member(await ada.tool("job_post", job), "id") as string;
    let since: unknown = 0;
    let kinds = "";
    const work = deliver("worker-1", id);
    while (!kinds.includes("job.delivered")) {
      const page = await ada.tool("mailbox_read", { since, wait_seconds: 50 });
      kinds += JSON.stringify(page);
      since = member(page, "next_since");
    }
    await work;
    expect(member(await ada.tool("job_read", { id }), "result")).toBe(result);
    expect(ada.calls.length - waits(ada.calls).length).toBe(2);
  });

  test("takes two calls over HTTP and the waits", async () => {
    const ada = await new Agent().claim("ada-hands-over-2");
    const id = member(await ada.http("POST", "/api/jobs", job), "id") as string;
    let since: unknown = 0;
    let kinds = "";
    const work = deliver("worker-2", id);
    while (!kinds.includes("job.delivered")) {
      const page = await ada.http("GET", `/api/mailbox?since=${since as number}&wait_seconds=50`);
      kinds += JSON.stringify(page);
      since = member(page, "next_since");
    }
    await work;
    expect(member(await ada.http("GET", `/api/jobs/${id}`), "result")).toBe(result);
    expect(ada.calls.length - waits(ada.calls).length).toBe(2);
  });
});

describe("taking a job, and delivering it", () => {
  const offer = async (name: string, title: string) => {
    const owner = await new Agent().claim(name);
    await owner.http("POST", "/api/jobs", { title, detail: "Say a word." });
  };

  test("takes three tool calls", async () => {
    await offer("owner-1", "Say one word");
    const ada = await new Agent().claim("ada-works");
    const board = (await ada.tool("jobs_list", { state: "open" })) as {
      jobs: { id: string }[];
    };
    const { id } = board.jobs[0]!;
    const claimed = await ada.tool("job_claim", { id });
    // The board shows titles; the detail comes with the claim.
    expect(JSON.stringify(claimed)).toContain("Say a word.");
    const delivery = { id, result: "Word.", claim_no: member(claimed, "claim_no") };
    expect(member(await ada.tool("job_deliver", delivery), "receipt")).toBeString();
    expect(ada.calls).toEqual(["jobs_list", "job_claim", "job_deliver"]);
  });

  test("takes three calls over HTTP", async () => {
    await offer("owner-2", "Say two words");
    const ada = await new Agent().claim("ada-works-2");
    const id = member(
      ((await ada.http("GET", "/api/jobs?state=open")) as { jobs: object }).jobs,
      "id",
    ) as string;
    const claimed = await ada.http("POST", `/api/jobs/${id}/claim`, {});
    const delivery = { result: "Two words.", claim_no: member(claimed, "claim_no") };
    expect(member(await ada.http("POST", `/api/jobs/${id}/deliver`, delivery), "receipt")).toBeString();
    expect(ada.calls).toHaveLength(3);
  });
});

describe("settling a toss", () => {
  /** What the other says when it has seen a proposal: its half of the label. */
  const theirs = "5d0c41e8b2a96f73";
  const mine = "0f1e2d3c4b5a6978";

  /** The coin as both compute it. */
  const coinOf = (seed: string): string =>
    Number.parseInt(sha256Hex(`${seed}:${mine}:${theirs}`).slice(0, 2), 16) % 2 === 1 ? "heads" : "tails";

  /** Moves the clock until `answer` has come. */
  async function passing<Answer>(answer: Promise<Answer>): Promise<Answer> {
    while (Bun.peek.status(answer) === "pending") {
      await Bun.sleep(1);
      service.clock.advance(1);
    }
    return answer;
  }

  test("takes two tool calls and the wait", async () => {
    const room = await givenRoom("Who begins?");
    const ada = new Agent();
    const round = Number(member(await ada.tool("beacon", {}), "round"));
    const body = `Round ${round}, my half is ${mine}. Heads: I begin.`;
    const proposal = ada.tool("meet_speak", { room, name: "Ada", body, since: 1, wait_seconds: 50 });
    expect(JSON.stringify(await meanwhile(proposal, () => post(room, theirs)))).toContain(theirs);
    expect(ada.calls).toEqual(["beacon", "meet_speak"]);
    let settled: unknown;
    do {
      settled = await passing(ada.tool("beacon", { round, label: `${mine}:${theirs}`, wait_seconds: 50 }));
    } while (member(settled, "revealed") === false);
    expect(member(settled, "coin")).toBe(coinOf(member(settled, "seed") as string));
    expect(new Set(ada.calls.slice(2))).toEqual(new Set(["beacon"]));
  });

  test("takes two calls over HTTP and the waits", async () => {
    const room = await givenRoom("Who begins this time?");
    const ada = new Agent();
    const { now } = (await ada.http("GET", "/api/beacon")) as { now: { round: number } };
    const round = now.round + 2;
    const body = `Round ${round}, my half is ${mine}. Heads: I begin.`;
    const proposed = await ada.http("POST", `/api/meet/rooms/${room}/posts`, { name: "Ada", body, since: 1 });
    expect(ada.calls).toHaveLength(2);
    const since = member(proposed, "next_since") as string;
    const wait = ada.http("GET", `/api/meet/rooms/${room}?since=${since}&wait_seconds=50&not_by=Ada`);
    expect(JSON.stringify(await meanwhile(wait, () => post(room, theirs)))).toContain(theirs);
    let settled: unknown;
    do {
      const path = `/api/beacon/${round}?wait_seconds=50`;
      settled = await passing(ada.http("GET", path));
    } while (member(settled, "revealed") === false);
    const drawn = await call("GET", `${service.url}/api/beacon/${round}?label=${mine}:${theirs}`);
    expect(member(drawn.body, "coin")).toBe(coinOf(member(settled, "seed") as string));
  });
});
