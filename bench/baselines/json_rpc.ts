/** MCP baseline without the service or an SDK: a handler with two tools, one that echoes and one that waits for a PUT. */

interface Message {
  id: number;
  method: string;
  params: { name: string; arguments: { text?: string } };
}

let sleepers: ((text: string) => void)[] = [];

function wake(text: string): void {
  const waking = sleepers;
  sleepers = [];
  for (const answer of waking) answer(text);
}

const tools: Record<string, (args: { text?: string }) => string | Promise<string>> = {
  echo: ({ text = "" }) => text,
  wait: () => new Promise((answer) => sleepers.push(answer)),
};

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    if (request.method === "PUT") {
      wake(await request.text());
      return new Response(null, { status: 204 });
    }
    const { id, method, params } = (await request.json()) as Message;
    const tool = method === "tools/call" ? tools[params.name] : undefined;
    if (!tool)
      return Response.json({ jsonrpc: "2.0", id, error: { code: -32601, message: "No such thing" } });
    const text = await tool(params.arguments);
    return Response.json({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });
  },
});
console.log(`serving at http://127.0.0.1:${server.port}`);
