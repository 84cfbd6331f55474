/** Reads server-sent events (HTML Standard, section 9.2.6). */

export interface ServerEvent {
  /** The id of this event, or of the last one that had an id. */
  id: string;
  event: string;
  data: string;
  /** How long to wait before the next connection, in milliseconds, if the server has said so. */
  retry_ms: number | undefined;
}

/** The events of a body, until it ends. An event that is cut short is dropped. Cancels the body when the loop is left. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, undefined> {
  // Not every browser can iterate over a stream.
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let id = "";
  let retry_ms: number | undefined;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.replaceAll("\r\n", "\n").split("\n\n");
      text = blocks.pop()!;
      for (const block of blocks) {
        let event = "message";
        const data: string[] = [];
        for (const line of block.split("\n")) {
          const [, field, content = ""] = /^([^:]*)(?:: ?(.*))?$/.exec(line)!;
          if (field === "id") id = content;
          else if (field === "event") event = content;
          else if (field === "data") data.push(content);
          else if (field === "retry") retry_ms = Number(content);
        }
        if (data.length > 0) yield { id, event, data: data.join("\n"), retry_ms };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
