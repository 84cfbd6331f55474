/** Receivers of webhooks for tests: servers that answer the challenge, and store what else they get. */

import type { SourceService } from "./service.ts";

/** A request that a receiver got. */
export interface ReceivedCall {
  id: string;
  headers: Headers;
  /** As it was sent. */
  text: string;
  body: { type: string; data: { unread: number; kinds: Record<string, number>; through: number } };
}

/** How a receiver answers a call; undefined: with 204. */
type Answering = (
  call: ReceivedCall,
  request: Request,
) => Response | undefined | Promise<Response | undefined>;

export interface Receiver {
  url: string;
  /** The calls that it got, without challenges. */
  calls: ReceivedCall[];
  challenges: ReceivedCall[];
  /** How it answers from now on. */
  answering: Answering;
  stop(): Promise<void>;
}

/** Settings of a service that calls receivers of this machine. */
export const calling = { webhooks: true, fetch_allow: ["127.0.0.0/8"] };

/** Starts a receiver on this machine. */
export function startReceiver(answering: Answering = () => undefined, port = 0): Receiver {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    async fetch(request) {
      const text = await request.text();
      const { headers } = request;
      const id = headers.get("webhook-id") ?? "";
      const call = { id, headers, text, body: JSON.parse(text) as ReceivedCall["body"] };
      if (call.body.type === "verification") {
        receiver.challenges.push(call);
        return Response.json({ challenge: (JSON.parse(text) as { challenge: string }).challenge });
      }
      receiver.calls.push(call);
      return (await receiver.answering(call, request)) ?? new Response(null, { status: 204 });
    },
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${server.port}/hook`,
    ...{ calls: [], challenges: [], answering },
    stop: () => server.stop(true),
  };
  return receiver;
}

/** Lets time pass until it is so: two calls do not begin in the same moment. */
export async function passUntil(
  { clock }: Pick<SourceService, "clock">,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  while (!(await isSo())) {
    clock.advance(0.01);
    await Bun.sleep(1);
  }
}
