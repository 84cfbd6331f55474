/** A service whose texts attack the terminal of its reader: a proxy that spoils every text in the answers of a real one. */

/** Ends the colour and the title of a terminal, begins a control sequence with one character, turns the direction, erases the line. */
export const attack = "\u001b]0;x\u0007\u001b[2J\u009b31m\u202e\u{e0041}\r\u007f\b\f\n#9  ada";

/** The characters that no terminal may get. */
// oxlint-disable-next-line no-control-regex -- finds control characters
export const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u{e0000}-\u{e007f}]/u;

const spoiled = (value: unknown): unknown =>
  typeof value === "string"
    ? // A time is where a reader resumes.
      `${value}${/^\d{4}-\d\d-\d\dT/.test(value) ? "" : attack}`
    : Array.isArray(value)
      ? value.map(spoiled)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoiled(inner)]))
        : value;

const spoiledLine = (line: string): string => {
  const [, begin, json] = /^((?:data: )?)([{[].*)$/s.exec(line) ?? [];
  return json === undefined ? line : `${begin}${JSON.stringify(spoiled(JSON.parse(json)))}`;
};

/** Starts a proxy for the service at `url`. It leaves the addresses alone, and spoils every text in JSON and in events. */
export function startHostile(url: string) {
  let opened = () => {};
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers, body, signal } = request;
      const answer = await fetch(`${url}${pathname}${search}`, { method, headers, body, signal });
      const type = answer.headers.get("content-type") ?? "";
      const sent = { status: answer.status, headers: { "content-type": type } };
      if (type.includes("json")) return new Response(spoiledLine(await answer.text()), sent);
      opened();
      const events = answer
        .body!.pipeThrough(new TextDecoderStream())
        .pipeThrough(
          new TransformStream<string, string>({
            transform: (text, sink) => sink.enqueue(text.split("\n").map(spoiledLine).join("\n")),
          }),
        )
        .pipeThrough(new TextEncoderStream());
      return new Response(events, sent);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** Resolves when the next stream has begun. */
    nextStream: () => new Promise<void>((resolve) => (opened = resolve)),
    stop: () => server.stop(true),
  };
}
