/** Scenes: the same steps over HTTP and over MCP, with their outcomes in a form that can be compared. */

import { error_catalog, type ErrorCode } from "../../../src/app/error_catalog.ts";
import { quotedJson } from "../../../src/core/text_form.ts";
import { call } from "../../support/http.ts";
import type { SourceService, TestSettings } from "../../support/service.ts";
import { postsIn } from "../../support/text_form.ts";
import { callTool, codeOf } from "../../support/tools.ts";
import { translations, type Args, type HttpAnswer, type Json } from "./translations.ts";

/** What a scene has saved from one transport: ids, keys and receipts, by the names that steps gave them. */
export type Saved = Record<string, string>;

/** A call that both transports have, as a tool and its arguments. */
export interface ToolStep {
  tool: string;
  args: Args | ((saved: Saved) => Args);
  /** The claimed name whose key is sent. */
  as?: string;
  /** The name whose key is sent instead. `nobody` has a string that is no key. */
  with_key_of?: string;
  /** The code of the expected refusal. Left out if a result is expected. */
  refused?: ErrorCode;
  /** Members of the result to save: name → member. */
  save?: Record<string, string>;
  /** The call that ends the wait of this one, or `nothing`: then its time runs out. */
  while_waiting?: ToolStep | "nothing";
}

/** A step that is no tool call. A call that only HTTP has is made over HTTP in both plays. */
type Other =
  { advance_seconds: number } | { clock_jumps_seconds: number } | { http: (saved: Saved) => HttpCall };
export interface HttpCall {
  method: string;
  path: string;
  as?: string;
  headers?: Record<string, string>;
  body?: object;
}
export type Step = ToolStep | Other;

export interface Scene {
  name: string;
  settings?: TestSettings;
  steps: Step[];
}

/** The outcome of a call. */
export interface Outcome {
  step: ToolStep;
  /** The code of the refusal; null for a result. */
  code: string | null;
  /** The text of a refusal: what happened, and after how many seconds to call again. */
  said: string;
  /** What a refusal advises to do next; null for none, and for a result. */
  next: string | null;
  /** A result in the shape of the HTTP answer, without the members that one transport alone has. */
  result: Json;
  /** Members of the answer that the other transport does not have. */
  alone: string[];
}

/** One way to call a service. */
export interface Transport {
  service: SourceService;
  run(step: ToolStep, args: Args, saved: Saved): Promise<Outcome>;
}

/** The name and key that a call sends, or null. */
const shownBy = ({ as, with_key_of = as }: Pick<ToolStep, "as" | "with_key_of">, saved: Saved) =>
  as === undefined ? null : { name: as, key: saved[with_key_of!]! };

const headersFor = (shown: ReturnType<typeof shownBy>): Record<string, string> =>
  shown ? { "x-wf-name": shown.name, "x-wf-key": shown.key } : {};

export const overHttp = (service: SourceService): Transport => ({
  service,
  async run(step, args, saved) {
    const headers = headersFor(shownBy(step, saved));
    const translation = translations[step.tool]!;
    const send = async (method: string, path: string, body?: object, more?: object): Promise<HttpAnswer> => {
      const answer = await call<Json>(method, service.url + path, body, { ...headers, ...more });
      return { ...answer, etag: answer.headers.get("etag") };
    };
    const answer = await translation.http(args, send, step.as);
    const { status, body } = answer;
    if (status >= 400) {
      const wait = answer.headers.get("retry-after");
      const detail = String(body.detail).replace(/(^|; )\//g, "$1");
      const said = [`${detail}${wait ? ` (again in ${wait} s)` : ""}`, ...membersInText(body)].join("\n");
      const next = body.hint === undefined ? null : String(body.hint);
      return { step, code: String(body.code), said, next, result: {}, alone: [] };
    }
    const { saved: result, alone } = without(translation.cut?.(body) ?? body, translation.http_alone);
    return { step, code: null, said: "", next: null, result, alone };
  },
});

export const overTools = (service: SourceService, credential_in: "headers" | "arguments"): Transport => ({
  service,
  async run(step, args, saved) {
    const translation = translations[step.tool]!;
    const shown = shownBy(step, saved);
    // A tool that is about a name takes the caller's key alone. `name` in the arguments can be only one of two: who posts, or
    // whose key is sent. If they differ, the credential goes into headers.
    const is_about_a_name = step.tool.startsWith("name_");
    const is_other = args.name !== undefined && args.name !== shown?.name;
    const in_arguments = credential_in === "arguments" && (is_about_a_name || !is_other);
    const more =
      shown && in_arguments ? { key: shown.key, ...(!is_about_a_name && { name: shown.name }) } : {};
    const headers = in_arguments ? {} : headersFor(shown);
    const answer = await callTool(service.url, step.tool, { ...more, ...args }, headers);
    const code = codeOf(answer);
    if (code !== null) {
      const [refusal, next = ""] = answer.content[0]!.text.split("\nNext: ");
      const [happened, ...lines] = refusal!.split("\n");
      const members = code === "room_moved_on" ? missedInText(lines.join("\n")) : lines;
      const wait = /^Wait (\d+) seconds/.exec(next)?.[1];
      const detail = happened!.replace(/^Refused \(\w+\): /, "").replace(/(^|; )\//g, "$1");
      const said = Object.entries(translation.fields ?? {}).reduce(
        (text, [field, over_http]) =>
          text.replaceAll(new RegExp(`(?<=^|; )${field}: `, "g"), `${over_http}: `),
        [detail + (wait ? ` (again in ${wait} s)` : ""), ...members].join("\n"),
      );
      return { step, code, said, next, result: {}, alone: [] };
    }
    const { next: _next, ...structured } = answer.structuredContent!;
    const { saved: result, alone } = without(
      translation.body?.(structured) ?? structured,
      translation.tool_alone,
    );
    return { step, code: null, said: "", next: null, result, alone };
  },
});

/** The members of a problem that the refusal of a tool has as lines. */
function membersInText(problem: Json): string[] {
  if (problem.code === "room_moved_on") {
    const { latest, next_since, missed } = problem as { missed: Json[] } & Json;
    const posts = missed.map(({ n, name, body = null }) => [n, name, body]);
    return missedLines(posts, latest, next_since);
  }
  const { members_in_text, members } = error_catalog[problem.code as ErrorCode];
  if (!members_in_text) return [];
  const shown = Object.entries(problem).filter(([name]) => name in members!.properties);
  return shown.map(([name, value]) => `${name}: ${quotedJson(value)}`);
}

/** The posts that a refusal has in the text form, and its other members, as lines. */
function missedInText(text: string): string[] {
  const member = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(text)?.[1]);
  const posts = postsIn(text).map(({ n, name, body }) => [n, name, body]);
  return missedLines(posts, member("latest"), member("next_since"));
}

const missedLines = (posts: unknown[][], latest: unknown, next_since: unknown): string[] =>
  [latest, next_since, ...posts].map((part) => quotedJson(part));

/** Removes these members from a result (`a.b`: the b of a). Returns the rest, and which of them it had. */
function without(result: Json, alone: Record<string, string> = {}): { saved: Json; alone: string[] } {
  const saved = structuredClone(result);
  const had = Object.keys(alone).filter((path) => {
    const names = path.split(".");
    const last = names.pop()!;
    const holder = names.reduce<Json | undefined>((value, name) => value?.[name] as Json | undefined, saved);
    return holder !== undefined && last in holder && delete holder[last];
  });
  return { saved, alone: had };
}

/** Plays a scene over a transport. Returns the outcome of each call. */
export async function play(scene: Scene, transport: Transport): Promise<Outcome[]> {
  const { service } = transport;
  const saved: Saved = { nobody: "wfk_of-nobody" };
  const outcomes: Outcome[] = [];

  async function run(step: ToolStep): Promise<void> {
    const args = typeof step.args === "function" ? step.args(saved) : step.args;
    const running = transport.run(step, args, saved);
    if (step.while_waiting !== undefined) {
      await service.clock.timerAt(Number(args.wait_seconds));
      if (step.while_waiting === "nothing") service.clock.advance(Number(args.wait_seconds));
      else await run(step.while_waiting);
    }
    const outcome = await running;
    outcomes.push(outcome);
    for (const [name, member] of Object.entries(step.save ?? {}))
      saved[name] = String(outcome.result[member]);
  }

  for (const step of scene.steps) {
    if ("advance_seconds" in step) service.clock.advance(step.advance_seconds);
    else if ("clock_jumps_seconds" in step) {
      service.clock.set(new Date(service.clock.now() + step.clock_jumps_seconds * 1000).toISOString());
    } else if ("http" in step) {
      const { method, path, as, headers, body: sent } = step.http(saved);
      const shown = headersFor(shownBy({ ...(as !== undefined && { as }) }, saved));
      const { status, body } = await call(method, service.url + path, sent, { ...shown, ...headers });
      if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
    } else await run(step);
  }
  return outcomes;
}

/** The differences between two plays of a scene, and between them and the refusals that the scene expects. */
export function differences(over_http: Outcome[], by_tools: Outcome[]): string[] {
  return over_http.flatMap((http, i) => {
    const tool = by_tools[i]!;
    const at = `${i}: ${http.step.tool}`;
    const expected = http.step.refused ?? null;
    if (http.code !== expected || tool.code !== expected) {
      return [
        `${at}: HTTP ${http.code ?? "done"}, MCP ${tool.code ?? "done"}, expected ${expected ?? "done"}: ${http.said} / ${tool.said}`,
      ];
    }
    if (http.said !== tool.said) return [`${at}: "${http.said}" over HTTP, "${tool.said}" by tools`];
    if (Bun.deepEquals(http.result, tool.result, true)) return [];
    return [`${at}: ${JSON.stringify(http.result)} over HTTP, ${JSON.stringify(tool.result)} by tools`];
  });
}
