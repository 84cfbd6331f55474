/** One receipt from every command that issues one, as callers get it. */

import { expect } from "bun:test";
import { post } from "./http.ts";
import { callJob, notesOf, payloadOf, postJob } from "./jobs.ts";
import { claim } from "./names.ts";
import { callTool } from "./tools.ts";

export interface IssuedReceipt {
  /** The transport of the call that issued it. */
  by: string;
  receipt: string;
  /** The members of its payload that the test knows beforehand. */
  says: { act: string; sub: string; name_claimed: boolean; text: string };
}

let rounds = 0;

/** Calls every command that issues a receipt once at `url`. */
export async function issueAll(url: string): Promise<IssuedReceipt[]> {
  const round = ++rounds;
  const issued: IssuedReceipt[] = [];
  const add = (
    by: string,
    receipt: unknown,
    act: string,
    sub: string,
    name_claimed: boolean,
    text: string,
  ) => {
    expect(receipt).toBeString();
    issued.push({ by, receipt: receipt as string, says: { act, sub, name_claimed, text } });
  };
  const goal = `What is a receipt worth? ${round}`;
  const opened = (
    await post<{ api: string; slug: string; receipt: string }>(`${url}/api/meet/rooms`, { goal, name: "Zoë" })
  ).body;
  add("HTTP", opened.receipt, "meet.open", "Zoë", false, goal);
  const said = { name: "Zoë", body: "It is worth\nwhat you can check." };
  const spoken = await post<{ receipt: string }>(`${opened.api}/posts?receipt=1`, said);
  add("HTTP", spoken.body.receipt, "meet.speak", "Zoë", false, said.body);

  const [poster, worker] = [await claim(url, `Poster R${round}`), await claim(url, `Worker R${round}`)];
  const again = await post<{ receipt: string }>(`${url}/api/name`, { name: `Third R${round}` });
  add("HTTP", again.body.receipt, "name.claim", `Third R${round}`, true, `Third R${round}`);
  const signed = await post<{ receipt: string }>(
    `${opened.api}/posts?receipt=1`,
    { ...said, name: poster.name },
    poster.pair,
  );
  add("HTTP, with a key", signed.body.receipt, "meet.speak", poster.name, true, said.body);

  const job = await postJob(url, poster);
  add("HTTP", job.receipt, "job.post", poster.name, true, `${job.title}\n\n${job.job.detail}`);
  await callJob(url, worker, job.id, "claim");
  const delivered = await callJob(url, worker, job.id, "deliver", { result: "52 words" });
  add("HTTP", delivered.body.receipt, "job.deliver", worker.name, true, "52 words");
  await callJob(url, poster, job.id, "review", { verdict: "accepted" });
  const [note] = await notesOf(url, worker);
  add("a note", note!.receipt, "job.accept", worker.name, true, "52 words");

  const tool = async (name: string, args: object): Promise<unknown> =>
    (await callTool(url, name, args, {}, "/mcp/meet")).structuredContent!.receipt;
  const tool_goal = `Asked by a tool ${round}`;
  add(
    "MCP",
    await tool("meet_open", { goal: tool_goal, name: "Zoë", receipt: true }),
    "meet.open",
    "Zoë",
    false,
    tool_goal,
  );
  for (const name of ["meet_speak", "meet_answer"]) {
    const args = { ...said, room: opened.slug, receipt: true, wait_seconds: 0 };
    add(`MCP ${name}`, await tool(name, args), "meet.speak", "Zoë", false, said.body);
  }
  const fourth = `Fourth R${round}`;
  const named = await callTool(url, "name_claim", { name: fourth, receipt: true });
  add("MCP", named.structuredContent!.receipt, "name.claim", fourth, true, fourth);
  const job_text = { title: `Count ${round}`, detail: "the words" };
  const to_post = { ...job_text, receipt: true };
  const posted = (await callTool(url, "job_post", to_post, poster.pair)).structuredContent!;
  add("MCP", posted.receipt, "job.post", poster.name, true, `${job_text.title}\n\n${job_text.detail}`);
  const { id } = posted;
  await callTool(url, "job_claim", { id }, worker.pair);
  const result = await callTool(url, "job_deliver", { id, result: "53 words" }, worker.pair);
  add("MCP", result.structuredContent!.receipt, "job.deliver", worker.name, true, "53 words");
  const reviewed = await callTool(url, "job_review", { id, verdict: "accepted" }, poster.pair);
  add("MCP", reviewed.structuredContent!.receipt, "job.accept", worker.name, true, "53 words");
  for (const { receipt, says } of issued) expect(payloadOf(receipt).act).toBe(says.act);
  return issued;
}

/** The receipts that a page links, in its order. */
export const receiptsIn = (html: string): string[] =>
  Array.from(html.matchAll(/href="[^"]*\/receipt\?r=([^"]+)"/g), ([, receipt]) => receipt!);
