/** The error boundary of MCP: an error at any stage of a call causes one answer, and one log line if it is unexpected. */

import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "bun:test";
import { call_errors, service_errors } from "../../src/core/general_errors.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { Topics } from "../../src/core/topics.ts";
import { createEndpoint } from "../../src/mcp/dispatch.ts";
import { createErrorBoundary } from "../../src/mcp/error_boundary.ts";
import { defineTool } from "../../src/mcp/tool.ts";
import { createMcpTransport, type McpTransportDeps } from "../../src/mcp/transport.ts";
import { OpenCalls } from "../../src/core/open_calls.ts";
import type { Place } from "../../src/mcp/types.ts";
import { anonymous } from "../../src/names/authentication.ts";
import { FakeClock } from "../support/clock.ts";
import { everybody_reads, following, handshake, message, modern, type Rpc } from "../support/mcp_messages.ts";
import { seededRandom } from "../../src/dev/random.ts";

type Stage =
  | "caller"
  | "keys"
  | "validation"
  | "tool"
  | "list"
  | "resource"
  | "topic"
  | "prompt"
  | "completion"
  | "begin"
  | "session"
  | "follow"
  | "page";

/** A transport in which the stage `at` throws `planted`. */
function transportThrowing(at: Stage | null, planted: unknown) {
  const lines: string[] = [];
  const clock = new FakeClock();
  const log = createLog(clock, "info", (line) => void lines.push(line));
  const errors = createErrorBoundary(log, {
    "storage_busy.later": "echo_later does it later.",
    contains_key: "Take the key out.",
  });
  const reach = (stage: Stage) => {
    if (stage === at) throw planted;
  };
  const tool = defineTool({
    name: "echo",
    title: "Echo",
    description: "Echoes.",
    changes: "nothing",
    by: "anybody",
    input: Type.Object({ text: Type.Optional(Type.String()) }),
    output: Type.Object({ next: Type.String() }),
    run() {
      reach("tool");
      return Promise.resolve({ structured: { next: "echo" }, text: "Next: echo" });
    },
  });
  const endpoint = createEndpoint({
    info: { name: "test", version: "1" },
    instructions: "",
    tools: [
      {
        ...tool,
        refuseKeys: () => reach("keys"),
        async call(args, call, once) {
          reach("validation");
          return tool.call(args, call, once);
        },
      },
    ],
    resources: {
      templates: [{ uriTemplate: "test://{name}", name: "test", mimeType: "text/plain" }],
      async list() {
        reach("list");
        return { resources: [] };
      },
      async read(uri) {
        reach("resource");
        return [{ uri, mimeType: "text/plain", text: "" }];
      },
      async follow() {
        reach("topic");
        return { topic: "test", reader: null };
      },
      completers: {
        async name() {
          reach("completion");
          return { values: [], hasMore: false };
        },
      },
    },
    prompts: [
      {
        definition: { name: "ask", title: "Ask", description: "Asks.", arguments: [] },
        async words() {
          reach("prompt");
          return "Ask.";
        },
        completers: {},
      },
    ],
    errors,
    clock,
    idempotency: { run: () => Promise.reject(new Error("No call here has once.")) },
  });
  const record = { id: "s", address: "/mcp", handshake, subscriptions: {}, read_ms: 0 };
  const sessions: McpTransportDeps["sessions"] = {
    async begin() {
      reach("begin");
      return "s";
    },
    async find() {
      reach("session");
      return record;
    },
    async follow() {
      reach("follow");
      return "stored";
    },
    async end() {},
    isOld: () => false,
    codeOf: () => "",
  };
  const transport = createMcpTransport({
    sessions,
    topics: new Topics(),
    limiter: { take() {} } as unknown as McpTransportDeps["limiter"],
    clock,
    random: seededRandom(1),
    log,
    errors,
    endpointAt: () => endpoint,
    readers: everybody_reads,
    async page() {
      reach("page");
      return new Response("");
    },
  });
  const place: Place = {
    request_id: "request-1",
    base: "http://test",
    address: "/mcp",
    room: null,
    async caller() {
      reach("caller");
      return anonymous(() => "127.0.0.1");
    },
    async mayRead() {
      reach("caller");
      return true;
    },
    open: () =>
      new OpenCalls().add({ address: "127.0.0.1", name: null, session: null, grant: null }, () => {}),
    reserve: async () => () => {},
    takes_streams: true,
    keepOpen() {},
    takingStreams() {
      return this;
    },
    keepStreamOpen: () => () => {},
  };
  return { transport, place, lines };
}

interface Answer {
  status: number;
  text: string;
  rpc: Rpc<{ content?: { text: string }[]; isError?: boolean }>;
  lines: string[];
}

async function answerOf(at: Stage | null, planted: unknown, request: Request): Promise<Answer> {
  const { transport, place, lines } = transportThrowing(at, planted);
  const response = await transport.fetch(request, place);
  const text = await response.text();
  transport.close();
  const json = text.startsWith("[") || text.startsWith("{") ? (JSON.parse(text) as unknown) : {};
  const rpc = (Array.isArray(json) ? json[0] : json) as Answer["rpc"];
  return { status: response.status, text, rpc, lines };
}

const url = "http://test/mcp";
const post = (body: unknown, headers: Record<string, string> = {}) =>
  new Request(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: JSON.stringify(body),
  });
const modernPost = (method: string, params: Record<string, unknown> = {}) => {
  const { headers, body } = modern(method, params);
  return post(body, headers);
};
const listening = () => modernPost("subscriptions/listen", following(["test://a"]));

const callTool = message("tools/call", { name: "echo", arguments: { text: "a" } });
const read = message("resources/read", { uri: "test://a" });
const complete = message("completion/complete", {
  ref: { type: "ref/resource", uri: "test://{name}" },
  argument: { name: "name", value: "a" },
});
const methods: [Stage, object][] = [
  ["list", message("resources/list")],
  ["resource", read],
  ["prompt", message("prompts/get", { name: "ask", arguments: {} })],
  ["completion", complete],
];
const tool_stages: Stage[] = ["keys", "validation", "tool"];

/** The forms of a message: plain JSON, and a batch, which the servers of the SDK answer. */
const ways: [string, (body: object) => Request][] = [
  ["alone", (body) => post(body)],
  ["in a batch", (body) => post([body])],
];

const in_session = { "mcp-session-id": "s" };
const subscribe = message("resources/subscribe", { uri: "test://a" });

const planted = new Error("planted at /home/service");
const broken = "Something broke on our side; it has been logged.";

/** Expects the planted error in one line of the log, and not in the answer. */
function expectLogged({ text, lines }: Answer): void {
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      level: "error",
      event: "mcp.failed",
      error: expect.stringContaining("planted"),
    }),
  ]);
  expect(text).not.toContain("planted");
}

describe.each(ways)("an unexpected error of a message sent %s", (_way, sent) => {
  test.each(tool_stages)("becomes the tool's result at the stage: %s", async (stage) => {
    const answer = await answerOf(stage, planted, sent(callTool));
    expect(answer.status).toBe(200);
    expect(answer.rpc.result).toEqual({
      content: [
        {
          type: "text",
          text: "Refused (internal): something broke on our side; it has been logged as request request-1.\nNext: make the same call again.",
        },
      ],
      isError: true,
    } as never);
    expectLogged(answer);
  });

  test.each(methods)("becomes a JSON-RPC error at the stage: %s", async (stage, body) => {
    const answer = await answerOf(stage, planted, sent(body));
    expect([answer.status, answer.rpc.id]).toEqual([200, 1]);
    expect(answer.rpc.error).toEqual({ code: -32603, message: `${broken} Try again.` });
    expectLogged(answer);
  });
});

test("an unexpected error at the authentication of a tool call becomes its result", async () => {
  const answer = await answerOf("caller", planted, post(callTool));
  expect([answer.status, answer.rpc.result?.isError]).toEqual([200, true]);
  expectLogged(answer);
});

test.each<[Stage, () => Request]>([
  ["topic", listening],
  ["topic", () => post(subscribe, in_session)],
  ["follow", () => post(subscribe, in_session)],
])("an unexpected error of a subscription at the stage: %s (case %#)", async (stage, request) => {
  const answer = await answerOf(stage, planted, request());
  expect([answer.status, answer.rpc.id]).toEqual([200, 1]);
  expect(answer.rpc.error).toEqual({ code: -32603, message: `${broken} Try again.` });
  expectLogged(answer);
});

test.each<[Stage, () => Request]>([
  ["caller", () => post(read)],
  ["caller", () => post([callTool])],
  ["session", () => post(read, in_session)],
  ["session", () => new Request(url, { headers: { accept: "text/event-stream", ...in_session } })],
  ["session", () => new Request(url, { method: "DELETE", headers: in_session })],
  ["begin", () => post(message("initialize", handshake))],
  ["page", () => new Request(url, { headers: { accept: "text/html" } })],
])("an unexpected error of a whole request at the stage: %s (case %#)", async (stage, request) => {
  const answer = await answerOf(stage, planted, request());
  expect(answer.status).toBe(500);
  expect(answer.rpc).toEqual({ jsonrpc: "2.0", id: null, error: { code: -32603, message: broken } } as never);
  expectLogged(answer);
});

describe("an expected error is not logged", () => {
  const busy = new ServiceError(service_errors.storage_busy, "Another process holds it.");
  const key = new ServiceError(call_errors.contains_key, "A key is in it.");

  test("a tool's result names the next call", async () => {
    const before = await answerOf("keys", key, post(callTool));
    expect(before.rpc.result!.content![0]!.text).toMatch(
      /^Refused \(contains_key\): .*\nNext: Take the key out/,
    );
    const later = new ServiceError(service_errors.storage_busy, busy.detail, { situation: "later" });
    const within = await answerOf("tool", later, post(callTool));
    expect(within.rpc.result!.content![0]!.text).toBe(
      "Refused (storage_busy): Another process holds it.\nNext: echo_later does it later.",
    );
    expect([...before.lines, ...within.lines]).toEqual([]);
  });

  test.each(methods)("a method answers with a JSON-RPC error: %s", async (stage, body) => {
    const answer = await answerOf(stage, busy, post(body));
    expect(answer.status).toBe(200);
    expect(answer.rpc.error).toEqual({
      code: -32603,
      message: "Refused (storage_busy): Another process holds it.",
    });
    expect(answer.lines).toEqual([]);
  });

  test("a request is refused with its status", async () => {
    const answer = await answerOf("session", busy, post(read, in_session));
    expect([answer.status, answer.rpc.id, answer.rpc.error!.code]).toEqual([503, null, -32600]);
    expect(answer.lines).toEqual([]);
  });

  test("a session that cannot be stored leaves the client without one", async () => {
    const answer = await answerOf("begin", busy, post(message("initialize", handshake)));
    expect([answer.status, answer.rpc.id]).toEqual([200, 1]);
    expect(answer.lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual([
      "mcp.session_not_kept",
    ]);
  });
});

test.each<[string, () => Request]>([
  ["a call alone", () => post(callTool)],
  ["a call in a batch", () => post([callTool])],
  ["a handshake", () => post(message("initialize", handshake))],
  ["a handshake in the revision that has none", () => modernPost("initialize")],
  ["a call of the revision without handshakes", () => modernPost("resources/read", { uri: "test://a" })],
  ["a method of a session", () => post(message("logging/setLevel", { level: "info" }), in_session)],
])("a client that has left before its answer is no error: %s", async (_name, request) => {
  const { lines } = await answerOf(null, null, new Request(request(), { signal: AbortSignal.abort() }));
  expect(lines).toEqual([]);
});

test.each([[{ toString: 1 }], [["echo"]], [5], [null]])(
  "a tool whose name is %j does not exist",
  async (name) => {
    const answer = await answerOf(null, planted, post(message("tools/call", { name, arguments: {} })));
    expect(answer.rpc.error).toEqual({ code: -32602, message: "There is no such tool. There are: echo." });
    expect(answer.lines).toEqual([]);
  },
);
