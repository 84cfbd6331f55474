/** The fixtures of the conformance suite that ask back with `input_required` (protocol 2026-07-28). */

import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { strings, text } from "./parts.ts";

interface Stage {
  stage: string;
}

/** Signs the state that a client sends from one round to the next. */
export const states = createRequestStateCodec<Stage>({ key: "a key of the conformance fixtures only" });

const name_question = inputRequired.elicit({
  message: "What is your name?",
  requestedSchema: strings("name"),
});
const capital_question = inputRequired.createMessage({
  messages: [{ role: "user", content: text("What is the capital of France?") }],
  maxTokens: 100,
});
const confirm_question = inputRequired.elicit({
  message: "Please confirm",
  requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
});

const said = (words: string) => ({ content: [text(words)] });
const stateOf = (ctx: ServerContext): Stage | undefined => ctx.mcpReq.requestState<Stage>();

export function addRounds(server: McpServer): void {
  const tool = (
    name: string,
    run: (ctx: ServerContext) => Promise<ReturnType<typeof said> | ReturnType<typeof inputRequired>>,
  ) => server.registerTool(name, { description: `Asks back before it answers (${name}).` }, run);

  const greet = async (ctx: ServerContext) => {
    const answer = acceptedContent<{ name: string }>(ctx.mcpReq.inputResponses, "user_name");
    return typeof answer?.name === "string"
      ? said(`Hello, ${answer.name}!`)
      : inputRequired({ inputRequests: { user_name: name_question } });
  };
  tool("test_input_required_result_elicitation", greet);
  tool("test_streaming_elicitation", greet);

  tool("test_input_required_result_sampling", async (ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, "capital_question");
    return answer.kind === "sampling"
      ? said(`The model said: ${JSON.stringify(answer.result.content)}`)
      : inputRequired({ inputRequests: { capital_question } });
  });

  // The SDK refuses this if the client has not declared the capability.
  tool("test_missing_capability", async () => inputRequired({ inputRequests: { capital_question } }));

  tool("test_input_required_result_list_roots", async (ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, "client_roots");
    return answer.kind === "roots"
      ? said(`Roots: ${answer.roots.map(({ uri }) => uri).join(", ")}`)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });

  const confirm = async (ctx: ServerContext) =>
    stateOf(ctx)?.stage === "confirm"
      ? said("state-ok")
      : inputRequired({
          inputRequests: { confirm: confirm_question },
          requestState: await states.mint({ stage: "confirm" }),
        });
  tool("test_input_required_result_request_state", confirm);
  tool("test_input_required_result_tampered_state", confirm);

  tool("test_input_required_result_multiple_inputs", async (ctx) => {
    if (stateOf(ctx)) return said("All three came back.");
    return inputRequired({
      inputRequests: {
        user_name: name_question,
        greeting: inputRequired.createMessage({
          messages: [{ role: "user", content: text("Generate a greeting") }],
          maxTokens: 50,
        }),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint({ stage: "all" }),
    });
  });

  tool("test_input_required_result_multi_round", async (ctx) => {
    const stage = stateOf(ctx)?.stage;
    if (stage === "two") return said("Both steps are done.");
    const question = (message: string, field: string) =>
      inputRequired.elicit({ message, requestedSchema: strings(field) });
    return stage === "one"
      ? inputRequired({
          inputRequests: { step2: question("Step 2: What is your favorite color?", "color") },
          requestState: await states.mint({ stage: "two" }),
        })
      : inputRequired({
          inputRequests: { step1: question("Step 1: What is your name?", "name") },
          requestState: await states.mint({ stage: "one" }),
        });
  });

  tool("test_input_required_result_capabilities", async (ctx) => {
    const envelope: Record<string, unknown> = ctx.mcpReq.envelope ?? {};
    const able = (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Record<string, unknown>;
    return inputRequired({
      inputRequests: {
        ...(able.elicitation ? { user_name: name_question } : {}),
        ...(able.sampling ? { capital_question } : {}),
      },
      requestState: await states.mint({ stage: "able" }),
    });
  });

  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Asks back before it answers." },
    async (ctx) => {
      const answer = acceptedContent<{ context: string }>(ctx.mcpReq.inputResponses, "user_context");
      if (answer)
        return { messages: [{ role: "user" as const, content: text(`Context: ${answer.context}`) }] };
      const user_context = inputRequired.elicit({
        message: "What context should the prompt use?",
        requestedSchema: strings("context"),
      });
      return inputRequired({ inputRequests: { user_context } });
    },
  );
}
