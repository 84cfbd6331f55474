/** A reader of server-sent events as browsers read them (HTML Standard, section 9.2.6). */

export interface ReadEvent {
  id: string;
  event: string;
  data: unknown;
}

export interface EventReader {
  response: Response;
  /** The next event, or null at the end of the stream. */
  next(): Promise<ReadEvent | null>;
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
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";

  async function next(): Promise<ReadEvent | null> {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end < 0) {
        const { value, done } = await reader.read();
        if (done) return null;
        text += decoder.decode(value, { stream: true });
        continue;
      }
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const fields = new Map(
        block
          .split("\n")
          .filter((line) => !line.startsWith(":"))
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      if (fields.has("data")) {
        return {
          id: fields.get("id") ?? "",
          event: fields.get("event") ?? "message",
          data: JSON.parse(fields.get("data")!),
        };
      }
    }
  }

  return {
    response,
    next,
    async close() {
      controller.abort();
      await reader.cancel().catch(() => {});
    },
  };
}
