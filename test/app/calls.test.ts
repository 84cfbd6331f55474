/** The calls that hints name, and those that are declared once, exist: over HTTP, as tools, and as commands with their options. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import * as calls from "../../src/api/calls.ts";
import { service_hints } from "../../src/app/general_hints.ts";
import { allCommands, completedCommand } from "../../src/cli/completion/model.ts";
import { program } from "../../src/cli/program.ts";
import { hintsFor } from "../../src/core/hints.ts";
import { jobCalls } from "../../src/jobs/calls.ts";
import type { Jobs } from "../../src/jobs/jobs.ts";
import { nameCalls } from "../../src/names/calls.ts";
import type { Names } from "../../src/names/names.ts";
import type { Receipts } from "../../src/receipts/receipts.ts";
import { silent_terminal } from "../support/commands.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { toolsOf } from "../support/tools.ts";

const noMentions = () => Promise.resolve([]);
const plain_calls = [
  ...jobCalls({} as Jobs),
  ...nameCalls({ claims: "open" } as Names, {} as Receipts, noMentions),
];
const names = [
  ...Object.values(calls).flatMap((of_feature) => Object.values(of_feature).map((call) => call.names)),
  ...plain_calls.map(({ at }) => at.names),
];
const commands = allCommands(completedCommand(await program(silent_terminal)));

let service: SourceService;
beforeAll(async () => {
  service = await startSource({ webhooks: true });
});
afterAll(() => service.stop());

test("over HTTP", async () => {
  const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  const missing = names.filter(({ http = "" }) => {
    const [method = "", path = ""] = http.split(" ");
    return !(method.toLowerCase() in (paths[path] ?? {}));
  });
  expect(missing).toEqual([]);
});

test("as tools", async () => {
  const tools = (await toolsOf(service.url)).map(({ name }) => name);
  expect(names.flatMap(({ tool = [] }) => tool).filter((tool) => !tools.includes(tool))).toEqual([]);
});

test("as commands, with their options", () => {
  const printed = [
    ...names.flatMap(({ command }) => (command === undefined ? [] : `'wharf ${command}'`)),
    ...Object.values(hintsFor("command", service_hints)),
  ];
  const named = printed.flatMap((text) =>
    Array.from(text.matchAll(/'wharf ([^']+)'/g), ([, words]) => words!),
  );
  const unknown = named.filter((text) => {
    const path = text.match(/^[a-z -]*[a-z](?= |$)/)?.[0].replace(/ -.*/, "");
    const command = commands.find(({ words }) => words.join(" ") === path);
    const options = text.match(/--[a-z-]+/g) ?? [];
    return (
      !command || !options.every((option) => command.options.some(({ flags }) => flags.includes(option)))
    );
  });
  expect(named).not.toBeEmpty();
  expect(unknown).toEqual([]);
});
