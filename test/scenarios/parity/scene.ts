/** Scenes: the same steps through both doors, and what came of each, in a form in which the two can be compared. */

import type { ErrorCode } from "../../../src/app/error_catalog.ts";
import { call } from "../../support/http.ts";
import type { SourceService, TestSettings } from "../../support/service.ts";
import { callTool, codeOf } from "../../support/tools.ts";
import { translations, type Args, type HttpAnswer, type Json } from "./translations.ts";

/** What a scene remembers at one door: ids, keys, receipts, by the names that steps gave them. */
export type Kept = Record<string, string>;

/** A call that both doors have, in the words of tools. */
export interface Act {
  tool: string;
  args: Args | ((kept: Kept) => Args);
  /** The claimed name whose key is shown. */
  as?: string;
  /** Whose key is shown instead of its own; that of `nobody` is no key at all. */
  with_key_of?: string;
  /** How it is refused; left out: it is not. */
  refused?: ErrorCode;
  /** What to remember of the result: name → member. */
  keep?: Record<string, string>;
  /** What takes place while this call waits for it, or how long it waits in vain. */
  while_waiting?: Act | "nothing";
}

/** A step that is no call, or one that only HTTP has: then it is made over HTTP at both. */
type Other =
  { advance_seconds: number } | { clock_jumps_seconds: number } | { http: (kept: Kept) => HttpCall };
export interface HttpCall {
  method: string;
  path: string;
  as?: string;
  headers?: Record<string, string>;
}
export type Step = Act | Other;

export interface Scene {
  name: string;
  settings?: TestSettings;
  steps: Step[];
}

/** What came of an act. */
export interface Outcome {
  act: Act;
  /** The code of the refusal; null for a result. */
  code: string | null;
  /** What a refusal says: what happened, and after how many seconds to call again. */
  said: string;
  /** A result in the shape of the HTTP answer, without what one door alone tells. */
  result: Json;
  /** Members of the answer that the other door does not have. */
  alone: string[];
}

/** A door of one service. */
export interface Door {
  service: SourceService;
  run(act: Act, args: Args, kept: Kept): Promise<Outcome>;
}

/** The name and key that an act shows; null when it shows none. */
const shownBy = ({ as, with_key_of = as }: Pick<Act, "as" | "with_key_of">, kept: Kept) =>
  as === undefined ? null : { name: as, key: kept[with_key_of!]! };

const headersFor = (shown: ReturnType<typeof shownBy>): Record<string, string> =>
  shown ? { "x-wf-name": shown.name, "x-wf-key": shown.key } : {};

export const httpDoor = (service: SourceService): Door => ({
  service,
  async run(act, args, kept) {
    const headers = headersFor(shownBy(act, kept));
    const translation = translations[act.tool]!;
    const send = async (method: string, path: string, body?: object, more?: object): Promise<HttpAnswer> => {
      const answer = await call<Json>(method, service.url + path, body, { ...headers, ...more });
      return { ...answer, etag: answer.headers.get("etag") };
    };
    const answer = await translation.http(args, send, act.as);
    const { status, body } = answer;
    if (status >= 400) {
      const wait = answer.headers.get("retry-after");
      const detail = String(body.detail).replace(/(^|; )\//g, "$1");
      const said = `${String(body.title)}. ${detail}${wait ? ` (again in ${wait} s)` : ""}`;
      return { act, code: String(body.code), said, result: {}, alone: [] };
    }
    const { kept: result, alone } = without(translation.cut?.(body) ?? body, translation.http_alone);
    return { act, code: null, said: "", result, alone };
  },
});

export const toolDoor = (service: SourceService, credential_in: "headers" | "arguments"): Door => ({
  service,
  async run(act, args, kept) {
    const translation = translations[act.tool]!;
    const shown = shownBy(act, kept);
    // A tool that is about a name takes the caller's key alone. One name in the arguments cannot be two: whoever is to
    // speak as another than they show themselves to be has to show it in headers.
    const is_about_a_name = act.tool.startsWith("name_");
    const is_other = args.name !== undefined && args.name !== shown?.name;
    const in_arguments = credential_in === "arguments" && (is_about_a_name || !is_other);
    const more =
      shown && in_arguments ? { key: shown.key, ...(!is_about_a_name && { name: shown.name }) } : {};
    const headers = in_arguments ? {} : headersFor(shown);
    const answer = await callTool(service.url, act.tool, { ...more, ...args }, headers);
    const code = codeOf(answer);
    if (code !== null) {
      const [happened, next = ""] = answer.content[0]!.text.split("\nNext: ");
      const wait = /^Wait (\d+) seconds/.exec(next)?.[1];
      const detail = happened!.replace(/^Refused \(\w+\): /, "").replace(/([.;] )\//g, "$1");
      const said = Object.entries(translation.fields ?? {}).reduce(
        (text, [field, over_http]) =>
          text.replaceAll(new RegExp(`(?<=[.;] )${field}: `, "g"), `${over_http}: `),
        detail + (wait ? ` (again in ${wait} s)` : ""),
      );
      return { act, code, said, result: {}, alone: [] };
    }
    const { next: _next, ...told } = answer.structuredContent!;
    const { kept: result, alone } = without(translation.body?.(told) ?? told, translation.tool_alone);
    return { act, code: null, said: "", result, alone };
  },
});

/** A result without these members (`a.b`: the b of a), and which of them it had. */
function without(result: Json, alone: Record<string, string> = {}): { kept: Json; alone: string[] } {
  const kept = structuredClone(result);
  const had = Object.keys(alone).filter((path) => {
    const names = path.split(".");
    const last = names.pop()!;
    const holder = names.reduce<Json | undefined>((value, name) => value?.[name] as Json | undefined, kept);
    return holder !== undefined && last in holder && delete holder[last];
  });
  return { kept, alone: had };
}

/** Plays a scene through a door: what came of each act. */
export async function play(scene: Scene, door: Door): Promise<Outcome[]> {
  const { service } = door;
  const kept: Kept = { nobody: "wfk_of-nobody" };
  const outcomes: Outcome[] = [];

  async function run(act: Act): Promise<void> {
    const args = typeof act.args === "function" ? act.args(kept) : act.args;
    const running = door.run(act, args, kept);
    if (act.while_waiting !== undefined) {
      await service.clock.timerAt(Number(args.wait_seconds));
      if (act.while_waiting === "nothing") service.clock.advance(Number(args.wait_seconds));
      else await run(act.while_waiting);
    }
    const outcome = await running;
    outcomes.push(outcome);
    for (const [name, member] of Object.entries(act.keep ?? {})) kept[name] = String(outcome.result[member]);
  }

  for (const step of scene.steps) {
    if ("advance_seconds" in step) service.clock.advance(step.advance_seconds);
    else if ("clock_jumps_seconds" in step) {
      service.clock.set(new Date(service.clock.now() + step.clock_jumps_seconds * 1000).toISOString());
    } else if ("http" in step) {
      const { method, path, as, headers } = step.http(kept);
      const shown = headersFor(shownBy({ ...(as !== undefined && { as }) }, kept));
      const { status, body } = await call(method, service.url + path, undefined, { ...shown, ...headers });
      if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
    } else await run(step);
  }
  return outcomes;
}

/** Where two plays of a scene differ, or did not go as the scene says: nothing where the doors are at one. */
export function differences(over_http: Outcome[], by_tools: Outcome[]): string[] {
  return over_http.flatMap((http, i) => {
    const tool = by_tools[i]!;
    const at = `${i}: ${http.act.tool}`;
    const expected = http.act.refused ?? null;
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
