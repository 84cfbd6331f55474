/** Baseline without the service: Bun.serve with streams of server-sent events (GET). A post goes to all of them and is not stored. */

const utf8 = new TextEncoder();
const readers = new Set<ReadableStreamDefaultController<Uint8Array>>();
const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };

function follow(): Response {
  let reader: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      readers.add((reader = controller));
      // The head of the response leaves with the first byte.
      controller.enqueue(utf8.encode(": following\n\n"));
    },
    cancel: () => void readers.delete(reader),
  });
  return new Response(body, { headers });
}

async function post(request: Request): Promise<Response> {
  const said = {
    id: Bun.randomUUIDv7(),
    ts: new Date().toISOString(),
    ...((await request.json()) as object),
  };
  const event = utf8.encode(`id: ${said.ts}\nevent: post\ndata: ${JSON.stringify(said)}\n\n`);
  for (const reader of readers) reader.enqueue(event);
  return Response.json(said, { status: 201 });
}

const { port } = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  fetch: (request) => (request.method === "POST" ? post(request) : follow()),
});
console.log(`serving at http://127.0.0.1:${port}`);
