/** The error boundary of MCP: the one place where a thrown error becomes a tool result, a JSON-RPC error or a refused request. */

import { call_errors } from "../core/general_errors.ts";
import { isFailure, ServiceError } from "../core/errors.ts";
import { hintFor, type Hints } from "../core/hints.ts";
import { errorText, type Log } from "../core/log.ts";
import { no_meter, type Meter } from "../core/meter.ts";
import { quotedJson } from "../core/text_form.ts";
import { web_errors } from "../web/errors.ts";
import { problemHeaders, statusOf } from "../web/problems.ts";
import { RpcFailure, rpc_codes } from "./errors.ts";
import { waitedText } from "./progress.ts";
import { failureResponse } from "./protocol.ts";
import type { ToolResult } from "./tool.ts";
import type { Methods, Place } from "./types.ts";

export type ErrorBoundary = ReturnType<typeof createErrorBoundary>;

/** The request that an error is logged with. */
type Failing = Pick<Place, "request_id">;

/** `hints`: what callers of tools do next. */
export function createErrorBoundary(log: Log, hints: Hints, meter: Meter = no_meter) {
  const calls = meter.counter({
    name: "wharf_mcp_calls_total",
    help: "Calls of tools: answered, refused, or failed by a fault of the service.",
    labels: ["tool", "outcome"],
  });
  /** A thrown error if it is an expected one; null for any other, which is logged. */
  function expected({ request_id }: Failing, error: unknown): ServiceError | RpcFailure | null {
    if (error instanceof ServiceError || error instanceof RpcFailure) return error;
    log.error("mcp.failed", { request_id, error: errorText(error) });
    return null;
  }

  /** Runs a method. An error becomes the JSON-RPC error of its request. */
  async function method<Result>(place: Failing, run: () => Promise<Result>): Promise<Result | RpcFailure> {
    try {
      return await run();
    } catch (error) {
      return methodFailure(expected(place, error), hints);
    }
  }

  return {
    /** Counts a call of a tool that was answered. */
    answered: (name: string): void => calls.count(name, "answered"),
    method,

    /** The same methods, each within the boundary. */
    methods: (unguarded: Methods): Methods =>
      Object.fromEntries(
        Object.entries(unguarded).map(([name, { run, waits }]) => [
          name,
          {
            run: (params, call) => method(call.place, async () => run(params, call)),
            ...(waits && { waits }),
          },
        ]),
      ),

    /** The result of a call of the tool `name` that threw `error`, after a shortened wait if it waited. It names the next call. */
    tool(place: Failing, name: string, error: unknown, waited_seconds?: number): ToolResult | RpcFailure {
      const known = expected(place, error);
      calls.count(name, known ? "refused" : "failed");
      if (known instanceof RpcFailure) return known;
      return known ? refusal(known, hints, name, waited_seconds) : brokenTool(place);
    },

    /** The response to a request that threw `error`, which refuses it as a whole, with a status of HTTP. */
    request: (place: Failing, error: unknown): Response => requestRefusal(expected(place, error), hints),
  };
}

function methodFailure(error: ServiceError | RpcFailure | null, hints: Hints): RpcFailure {
  if (error instanceof RpcFailure) return error;
  if (!error) return broken_method;
  // A stream that may not be opened is refused with its status, as over HTTP.
  if (error.code === call_errors.too_many_open.code) return wholeRefusal(error, hints);
  const code = statusOf(error.definition) < 500 ? rpc_codes.invalid_params : rpc_codes.internal;
  return new RpcFailure(code, refusalLine(error, hints));
}

/** The response that refuses a request as a whole: a JSON-RPC error (JSON-RPC 2.0, section 5.1) with its HTTP status. */
export const requestRefusal = (error: ServiceError | RpcFailure | null, hints: Hints): Response =>
  failureResponse(error instanceof ServiceError ? wholeRefusal(error, hints) : (error ?? broken_request));

function wholeRefusal(error: ServiceError, hints: Hints): RpcFailure {
  const code = isFailure(error, web_errors.malformed_json)
    ? rpc_codes.parse_error
    : rpc_codes.invalid_request;
  const http = { status: statusOf(error.definition), headers: problemHeaders(error) };
  return new RpcFailure(code, refusalLine(error, hints), undefined, http);
}

/** A refusal in one line: its code, what happened, what to do. */
const refusalLine = (error: ServiceError, hints: Hints): string =>
  `Refused (${error.code}): ${error.detail} ${hintFor(hints, error) ?? ""}`.trim();

/** A refusal as the result of the tool `name`: what happened, and the next call to make. */
function refusal(error: ServiceError, hints: Hints, name: string, waited_seconds?: number): ToolResult {
  const { retryable, explanation, members_in_text } = error.definition;
  const { retry_after_seconds, errors, members, quoted } = error.extra;
  const waited =
    retry_after_seconds !== undefined && `Wait ${retry_after_seconds} seconds, then call ${name} again.`;
  const corrected = errors && `Correct what is named and call ${name} again.`;
  const said = hintFor(hints, error);
  // A hint of the error itself says how long to wait, too.
  const more = said === error.extra.hint ? undefined : said;
  const next = waited
    ? [waited, more].filter(Boolean).join(" ")
    : (said ?? corrected ?? (retryable ? `Call ${name} again.` : explanation));
  // HTTP names a field by a JSON Pointer; a tool names an argument as it is.
  const detail = errors ? error.detail.replace(/(^|; )\//g, "$1") : error.detail;
  const lines = [
    `Refused (${error.code}): ${detail}`,
    ...(members_in_text && members ? quotedMembers(members) : []),
    ...(quoted === undefined ? [] : [quoted]),
    ...(waited_seconds === undefined ? [] : [waitedText(waited_seconds)]),
    `Next: ${next}`,
  ];
  return failed(lines.join("\n"));
}

/** The members of a problem as lines. Texts may be those of strangers: each is a JSON string, and can imitate no line. */
const quotedMembers = (members: Record<string, unknown>): string[] =>
  Object.entries(members).map(([name, value]) => `${name}: ${quotedJson(value)}`);

const failed = (text: string): ToolResult => ({ content: [{ type: "text", text }], isError: true });

const broken = "Something broke on our side; it has been logged.";
const broken_request = new RpcFailure(rpc_codes.internal, broken, undefined, { status: 500 });
const broken_method = new RpcFailure(rpc_codes.internal, `${broken} Try again.`);
const brokenTool = ({ request_id }: Failing): ToolResult =>
  failed(
    `Refused (internal): something broke on our side; it has been logged as request ${request_id}.\nNext: make the same call again.`,
  );
