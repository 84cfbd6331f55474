/** A load balancer without affinity: it sends each request to another node than the last one. */

export interface RoundRobin {
  url: string;
  /** Ends the connections of all streams that are open, as a network fault does. */
  cut(): void;
  /** Resolves when `count` requests with this method have been sent to nodes since the start, or have been before. */
  sent(method: string, count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a load balancer over `nodes`. A request goes to the next node if one refuses connections. */
export function startRoundRobin(nodes: readonly { url: string }[]): RoundRobin {
  let next = 0;
  let cuts = new AbortController();
  const counts = new Map<string, number>();
  let wake = () => {};
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { method, headers } = request;
      const target = request.url.slice(new URL(request.url).origin.length);
      const body = request.body && (await request.bytes());
      const signal = AbortSignal.any([request.signal, cuts.signal]);
      for (let tries = 0; ; tries++) {
        const node = nodes[next++ % nodes.length]!;
        try {
          const init = { method, headers, body, signal, redirect: "manual", decompress: false } as const;
          const answer = await fetch(node.url + target, init);
          counts.set(method, (counts.get(method) ?? 0) + 1);
          wake();
          return new Response(answer.body && (passedOn(answer.body) as unknown as BodyInit), answer);
        } catch (error) {
          if (tries === nodes.length) throw error;
        }
      }
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    cut() {
      cuts.abort();
      cuts = new AbortController();
    },
    async sent(method, count) {
      while ((counts.get(method) ?? 0) < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
    },
    stop: () => server.stop(true),
  };
}

/** The body, which also ends, without an error, when the node or the test ends it. */
async function* passedOn(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    // Its client sees the stream end.
  }
}
