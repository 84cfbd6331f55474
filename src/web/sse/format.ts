/** Server-sent events on the wire (HTML Standard, section 9.2). */

import { web_limits } from "../limits.ts";

export const event_stream_type = "text/event-stream";

export const event_stream_headers = {
  "content-type": event_stream_type,
  "cache-control": "no-store",
  // Nginx buffers a response unless this header forbids it.
  "x-accel-buffering": "no",
};

/** How often an idle stream sends a heartbeat, in milliseconds. */
export const heartbeat_ms = web_limits.stream_heartbeat_seconds * 1000;

const utf8 = new TextEncoder();

/** A comment, which readers ignore. */
export const heartbeat = utf8.encode(": still here\n\n");

/** The shortest comment. Sent first, because the head of a response leaves with its first byte. */
export const empty_comment = ":\n\n";

export interface EventText {
  id?: string;
  event: string;
  /** One line. */
  data: string;
}

export const eventText = ({ id, event, data }: EventText): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
