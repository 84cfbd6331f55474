/** Readers of server-sent events as browsers read them (HTML Standard, section 9.2.6). */

export interface ServerSentEvent {
  id: string;
  event: string;
  data: string;
}

/** The events of a response's stream, as they come, until it ends. */
export async function* eventsOf(response: Response): AsyncGenerator<ServerSentEvent> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split("\n\n");
    text = blocks.pop()!;
    for (const block of blocks) {
      const lines = block.split("\n").filter((line) => !line.startsWith(":"));
      const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2)));
      const { id = "", event = "message", data } = fields as Record<string, string | undefined>;
      if (data !== undefined) yield { id, event, data };
    }
  }
}

export interface EventReader {
  response: Response;
  /** The next event, its data read as JSON; null at the end of the stream. */
  next(): Promise<{ id: string; event: string; data: unknown } | null>;
  close(): Promise<void>;
}

/** Opens a stream, by GET or with a body by POST; resolves once it has begun. */
export async function readEvents(
  url: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<EventReader> {
  const controller = new AbortController();
  const method = body === undefined ? "GET" : "POST";
  const response = await fetch(url, {
    method,
    headers,
    signal: controller.signal,
    ...(body !== undefined && { body }),
  });
  const events = eventsOf(response);
  return {
    response,
    async next() {
      const { value, done } = await events.next();
      return done ? null : { ...value, data: JSON.parse(value.data) as unknown };
    },
    async close() {
      controller.abort();
      await events.return(undefined).catch(() => {});
    },
  };
}
