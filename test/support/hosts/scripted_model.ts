/**
 * A model that follows a script, for agent hosts: it speaks the APIs of Anthropic, OpenAI (responses and chat completions) and Gemini
 * on a port of this machine.
 */

/**
 * What the model does next: it calls a tool of the host, or it says something, which ends its turn. `namespace`: where Codex lists the
 * tool, if it is one of an MCP server.
 */
export type Turn = { tool: string; input: object; namespace?: string } | { text: string };

export interface ScriptedModel {
  url: string;
  /** What the tools returned, as the host sent it to the model: one text for each call, in their order. */
  results: string[];
  /** The names of the tools that the host offers. */
  tools: string[];
  /** The last request of the main conversation. */
  request: string;
  stop(): void;
}

/** One of the APIs: how a request offers tools and returns results, and how an answer looks. */
interface Dialect {
  matches(path: string): boolean;
  toolsIn(request: Json): string[];
  resultsIn(request: Json): Json[];
  answer(turn: Turn, request: Json, path: string): Response;
}

// The bodies of four APIs, of which each dialect reads a few members.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

const usage = { input_tokens: 5, output_tokens: 5 };
let last_id = 0;
const newId = (prefix: string): string => `${prefix}_${(last_id += 1)}`;

/** A stream of server-sent events: the name of each, if it has one, and its data. */
function events(...all: [string | null, object | string][]): Response {
  const text = all.map(([name, data]) => {
    const line = typeof data === "string" ? data : JSON.stringify(data);
    return `${name === null ? "" : `event: ${name}\n`}data: ${line}\n\n`;
  });
  return new Response(text.join(""), { headers: { "content-type": "text/event-stream" } });
}

const anthropic: Dialect = {
  matches: (path) => path.endsWith("/messages"),
  toolsIn: ({ tools = [] }) => tools.map((tool: Json) => tool.name),
  resultsIn: ({ messages }) =>
    messages.flatMap(({ content }: Json) =>
      Array.isArray(content) ? content.filter(({ type }: Json) => type === "tool_result") : [],
    ),
  answer(turn, { model, stream }) {
    const is_text = "text" in turn;
    const block = is_text
      ? { type: "text", text: turn.text }
      : { type: "tool_use", id: newId("toolu"), name: turn.tool, input: turn.input };
    const stop_reason = is_text ? "end_turn" : "tool_use";
    const message = { id: newId("msg"), type: "message", role: "assistant", model, usage };
    if (!stream) return Response.json({ ...message, content: [block], stop_reason, stop_sequence: null });
    const begun = is_text ? { ...block, text: "" } : { ...block, input: {} };
    const delta = is_text
      ? { type: "text_delta", text: turn.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(turn.input) };
    const started = { ...message, content: [], stop_reason: null, stop_sequence: null };
    return events(
      ["message_start", { type: "message_start", message: started }],
      ["content_block_start", { type: "content_block_start", index: 0, content_block: begun }],
      ["content_block_delta", { type: "content_block_delta", index: 0, delta }],
      ["content_block_stop", { type: "content_block_stop", index: 0 }],
      ["message_delta", { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage }],
      ["message_stop", { type: "message_stop" }],
    );
  },
};

/** The name of a tool whose input is a text and no JSON, in the responses API. */
const free_form_tools = ["apply_patch"];

const responses: Dialect = {
  matches: (path) => path.endsWith("/responses"),
  toolsIn: ({ tools = [] }) => tools.flatMap((tool: Json) => tool.name ?? tool.type),
  resultsIn: ({ input }) =>
    input.filter(({ type }: Json) => /^(?:function|custom_tool)_call_output$/.test(type)),
  answer(turn, { model }) {
    const item = { id: newId("item"), status: "completed", ...itemOf(turn) };
    const response = { id: newId("resp"), object: "response", model };
    const counted = { ...usage, total_tokens: 10 };
    return events(
      [
        "response.created",
        { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      ],
      ["response.output_item.added", { type: "response.output_item.added", output_index: 0, item }],
      ["response.output_item.done", { type: "response.output_item.done", output_index: 0, item }],
      [
        "response.completed",
        {
          type: "response.completed",
          response: { ...response, status: "completed", output: [item], usage: counted },
        },
      ],
    );
  },
};

function itemOf(turn: Turn): object {
  if ("text" in turn) {
    const content = [{ type: "output_text", text: turn.text, annotations: [] }];
    return { type: "message", role: "assistant", content };
  }
  const call = {
    call_id: newId("call"),
    name: turn.tool,
    ...(turn.namespace !== undefined && { namespace: turn.namespace }),
  };
  return free_form_tools.includes(turn.tool)
    ? { type: "custom_tool_call", ...call, input: (turn.input as { input: string }).input }
    : { type: "function_call", ...call, arguments: JSON.stringify(turn.input) };
}

const chat: Dialect = {
  matches: (path) => path.endsWith("/chat/completions"),
  toolsIn: ({ tools = [] }) => tools.map((tool: Json) => tool.function.name),
  resultsIn: ({ messages }) => messages.filter(({ role }: Json) => role === "tool"),
  answer(turn, { stream }) {
    const is_text = "text" in turn;
    const message = is_text
      ? { role: "assistant", content: turn.text }
      : {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              index: 0,
              id: newId("call"),
              type: "function",
              function: { name: turn.tool, arguments: JSON.stringify(turn.input) },
            },
          ],
        };
    const finish_reason = is_text ? "stop" : "tool_calls";
    const counted = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
    const answer = { id: newId("chat"), created: 1, model: "scripted" };
    if (!stream) {
      const choices = [{ index: 0, message, finish_reason }];
      return Response.json({ ...answer, object: "chat.completion", choices, usage: counted });
    }
    const chunk = { ...answer, object: "chat.completion.chunk" };
    return events(
      [null, { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] }],
      [null, { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage: counted }],
      [null, "[DONE]"],
    );
  },
};

const gemini: Dialect = {
  matches: (path) => /generateContent/i.test(path),
  toolsIn: ({ tools = [] }) =>
    tools.flatMap((tool: Json) => (tool.functionDeclarations ?? []).map(({ name }: Json) => name)),
  resultsIn: ({ contents }) =>
    contents.flatMap(({ parts }: Json) => parts.filter((part: Json) => part.functionResponse)),
  answer(turn, _request, path) {
    const part =
      "text" in turn ? { text: turn.text } : { functionCall: { name: turn.tool, args: turn.input } };
    const answer = {
      candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 },
      modelVersion: "scripted",
    };
    return path.includes("stream") ? events([null, answer]) : Response.json(answer);
  },
};

const dialects = [anthropic, responses, chat, gemini];

/**
 * Starts the model. `script` says what it does next, given the results of the tools so far; a request without `needed`, a tool of the
 * main conversation, is one of the host's own (a title, a check), which gets an empty answer.
 */
export function startModel(
  needed: string,
  script: (results: string[]) => Turn | Promise<Turn>,
): ScriptedModel {
  const model = { results: [] as string[], tools: [] as string[], request: "" };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      if (path.endsWith("count_tokens") || path.endsWith(":countTokens"))
        return Response.json({ input_tokens: 10, totalTokens: 10 });
      const dialect = dialects.find(({ matches }) => matches(path));
      if (!dialect || request.method !== "POST")
        return Response.json({ object: "list", data: [], models: [] });
      const body = (await request.json()) as Json;
      const tools = dialect.toolsIn(body);
      if (!tools.includes(needed)) return dialect.answer({ text: "{}" }, body, path);
      model.tools = tools;
      model.request = JSON.stringify(body);
      model.results.splice(0, Infinity, ...dialect.resultsIn(body).map((one: Json) => JSON.stringify(one)));
      return dialect.answer(await script(model.results), body, path);
    },
  });
  return Object.assign(model, { url: `http://127.0.0.1:${server.port}`, stop: () => void server.stop(true) });
}
