/**
 * A receiver of webhooks as a process: `bun webhook_receiver.ts <port> <file>`. It writes each call to the file before it accepts it, and
 * refuses some. It is killed at any moment.
 */

import { appendFileSync } from "node:fs";

/** A line of the file: what a call had, in the order of arrival. */
export interface CallLine {
  id: string;
  /** A hash of the body. */
  hash: string;
  name: string;
  through: number;
  /** The address of the node that has made the body. */
  node: string;
  /** When it made it, in Unix milliseconds. */
  made: number;
  /** Whether another call for the name was under way. */
  overlaps: boolean;
}

interface Body {
  type: string;
  timestamp: string;
  challenge?: string;
  data: { mailbox: string; name: string; through: number };
}

const under_way = new Map<string, number>();

async function answer(request: Request, file: string): Promise<Response> {
  const text = await request.text();
  const { type, timestamp, challenge, data } = JSON.parse(text) as Body;
  if (type === "verification") return Response.json({ challenge });
  if (type !== "mailbox.unread") return new Response(null, { status: 204 });
  const { name, through } = data;
  const before = under_way.get(name) ?? 0;
  under_way.set(name, before + 1);
  const line: CallLine = {
    ...{ id: request.headers.get("webhook-id")!, hash: Bun.hash(text).toString(36), name, through },
    ...{ node: new URL(data.mailbox).host, made: Date.parse(timestamp), overlaps: before > 0 },
  };
  const is_refused = Math.random() < 0.02;
  await Bun.sleep(Math.random() * 50);
  if (!is_refused) appendFileSync(file, `${JSON.stringify(line)}\n`);
  // A kill may come between.
  await Bun.sleep(Math.random() * 50);
  under_way.set(name, under_way.get(name)! - 1);
  if (is_refused) return new Response(null, { status: 503 });
  return new Response(null, { status: 204 });
}

if (import.meta.main) {
  const [port, file] = process.argv.slice(2);
  Bun.serve({ hostname: "127.0.0.1", port: Number(port), fetch: (request) => answer(request, file!) });
  console.log("receiving");
}
