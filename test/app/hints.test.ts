/** Error codes, and the tables that have hints and examples for them. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { error_catalog } from "../../src/app/error_catalog.ts";
import { hintsOfInstance, service_hints } from "../../src/app/general_hints.ts";
import { declared } from "../../src/app/commands.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { no_meter } from "../../src/core/meter.ts";
import { systemRandom } from "../../src/core/random.ts";
import type { Feature } from "../../src/discovery/feature.ts";
import { general_examples } from "../../src/discovery/problem_examples.ts";
import { createErrorBoundary } from "../../src/mcp/error_boundary.ts";
import type { ToolResult } from "../../src/mcp/tool.ts";
import { dev_errors } from "../../src/dev/errors.ts";
import { web_errors } from "../../src/web/errors.ts";
import { statusOf } from "../../src/web/problems.ts";
import { default_config } from "../../src/core/settings.ts";
import { FakeClock } from "../support/clock.ts";
import { http_words } from "../support/tools.ts";

const source = join(import.meta.dir, "../../src");
const filesOf = async (pattern: string) => {
  const paths = (await Array.fromAsync(new Bun.Glob(pattern).scan(source))).toSorted();
  return Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(source, path)).text() })));
};

const modulesOf = async (files: { path: string }[]) =>
  Promise.all(
    files.map(async ({ path }) =>
      Object.values((await import(join(source, path))) as Record<string, unknown>),
    ),
  );

/** What each feature exports to the transports. No operation runs here. */
type Transports = (operations: object, receipts: object) => Feature;
// Those of OAuth are no feature: src/app adds them with --oauth. Webhooks have no tools.
const of_features = (await filesOf("*/transports.ts")).filter(
  ({ path }) => !/^(?:oauth|webhooks)\//.test(path),
);
const modules = await modulesOf(of_features);
/** What those of webhooks need beside names. */
const of_webhooks = {
  ...{ guard: { allow: [] }, server_secret: "", meter: no_meter, random: systemRandom },
  storage: { onChange: () => {} },
};
const operations = { names: { claims: "open" }, ...of_webhooks };
const features = modules.flat().map((transports) => (transports as Transports)(operations, {}));
const tools = features.flatMap((feature) => feature.tools);
const policies = (["open", "invite", "closed"] as const).map(
  (claims) => ({ ...default_config, claims, contact: null }) as Parameters<typeof hintsOfInstance>[1],
);
const log = createLog(new FakeClock(), "error", () => {});

/** Situations that are chosen where an error is raised by something else, with the codes that this raises. */
const chosen: Record<string, string[]> = {
  wait: ["room_not_found", "room_deleted"],
  slot: ["credential_required"],
  public_slot: ["contains_key"],
};

/** Every `code.situation` that the source raises. */
async function situations(): Promise<string[]> {
  const files = await filesOf("**/*.ts");
  return files.flatMap(({ text }) =>
    Array.from(text.matchAll(/situation: "(\w+)"/g), ({ 1: situation = "", index }) => {
      const code = text
        .slice(0, index)
        .match(/_errors\.\w+/g)
        ?.at(-1);
      const codes = chosen[situation] ?? [code?.replace("_errors.", "")];
      return codes.map((raised) => `${raised}.${situation}`);
    }).flat(),
  );
}

/** The keys of `table` that are neither a code nor one of `raised`. */
const unknownIn = (table: object, raised: string[]): string[] =>
  Object.keys(table).filter((key) => !(key in error_catalog) && !raised.includes(key));

describe("every key of a table is an error that exists", () => {
  test("hints", async () => {
    expect(features).not.toBeEmpty();
    expect(unknownIn(service_hints, await situations())).toEqual([]);
  });

  test("examples of problems", () => {
    for (const examples of [general_examples, ...features.map((feature) => feature.problem_examples ?? {})]) {
      expect(unknownIn(examples, [])).toEqual([]);
    }
  });

  test("a planted key is found", () => {
    expect(
      unknownIn({ "room_closed.never": "", room_shut: "", "not_holder.open": "" }, ["not_holder.open"]),
    ).toEqual(["room_closed.never", "room_shut"]);
  });
});

test("no code is defined twice, and every definition but those of wharf dev is in the catalog", async () => {
  const files = await filesOf("**/*.ts");
  const defining = files.filter(
    ({ text }) => /= defineErrors\(/.test(text) && !/const defineErrors =/.test(text),
  );
  const tables = (await modulesOf(defining)) as object[][];
  const codes = tables.flat().flatMap((table) => Object.keys(table));
  const all = [...Object.keys(error_catalog), ...Object.keys(dev_errors)];
  expect(codes.toSorted()).toEqual(all.toSorted());
});

test("every error with a status below 500 has a hint over HTTP, whatever the operator has set", () => {
  for (const policy of policies) {
    const { http } = hintsOfInstance(declared.hints, policy);
    const without = Object.values(error_catalog).filter(
      (definition) => statusOf(definition) < 500 && !(definition.code in http),
    );
    expect(without.map(({ code }) => code)).toEqual([]);
  }
});

test("no two tables have a hint or an example for the same error", () => {
  expect(() => hintsOfInstance({ contains_key: "Another." }, policies[0]!)).toThrow("contains_key");
  const keys = [general_examples, ...features.map((feature) => feature.problem_examples)]
    .flatMap((table = {}) => Object.keys(table))
    .toSorted();
  expect(keys).toEqual([...new Set(keys)]);
});

describe("no refusal of a tool contains words of HTTP", () => {
  /** Codes of requests as such, and of operations that no tool calls. */
  const of_http = new Set([
    ...Object.keys(web_errors),
    "malformed_request",
    "idempotency_in_progress",
    "idempotency_key_reused",
    "host_key_required",
    "wrong_host_key",
    "not_your_post",
    "wrong_recovery_code",
  ]);

  /** Errors that are always raised with a hint of their own. */
  const raised_with: Record<string, object> = { unknown_field: { hint: "Send the field that is meant." } };

  test.each(tools.map((tool) => tool.name))("%s", async (name) => {
    const raised = (await situations()).map((key) => key.split("."));
    const boundary = createErrorBoundary(log, hintsOfInstance(declared.hints, policies[0]!).tool);
    for (const definition of Object.values(error_catalog)) {
      if (of_http.has(definition.code)) continue;
      const of_code = raised.filter(([code]) => code === definition.code).map(([, situation]) => situation!);
      for (const situation of ["", ...of_code]) {
        const error = new ServiceError(definition, "Detail.", { situation, ...raised_with[definition.code] });
        const { content } = boundary.tool({ request_id: "request-1" }, name, error) as ToolResult;
        expect([definition.code, situation, content[0]!.text.match(http_words)]).toEqual([
          definition.code,
          situation,
          null,
        ]);
      }
    }
  });
});
