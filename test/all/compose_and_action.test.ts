/** testing/docker-compose.yml and testing/action.yml: their commands run here, without Docker and GitHub. */

import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import { places } from "../../scripts/release/places.ts";
import { binary, lacks_binary } from "../support/binary.ts";
import { writeFakeRelease } from "../support/fake_release.ts";
import { lacks } from "../support/programs.ts";
import { linesOf } from "../support/python.ts";

const root = join(import.meta.dir, "../..");
const read = (name: string): unknown => Bun.YAML.parse(readFileSync(join(root, "testing", name), "utf8"));
const directories: string[] = [];
afterAll(() => directories.forEach((directory) => rmSync(directory, { recursive: true })));

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "wharf-action-"));
  directories.push(directory);
  return directory;
}

interface Compose {
  services: {
    wharf: { image: string; command: string[]; ports: string[]; healthcheck: { test: string[] } };
  };
}

test.skipIf(lacks_binary)("the container serves, and its health check waits for that", async () => {
  const { image, command, ports, healthcheck } = (read("docker-compose.yml") as Compose).services.wharf;
  expect(image).toBe(`${places.image}:latest`);
  expect(ports).toEqual(["127.0.0.1:${WHARF_TEST_PORT:-4273}:4273"]);
  expect(command[0]).toBe("dev");
  expect(healthcheck.test.slice(0, 3)).toEqual(["CMD", "wharf", "healthcheck"]);

  const here = (words: string[], port: string) => [
    binary(),
    ...words.map((word) => word.replace(/4273$/, port)),
  ];
  await using service = Bun.spawn(here(command, "0"), {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const { value: line } = await linesOf(service.stdout).next();
  const port = /^http:\/\/0\.0\.0\.0:(\d+)$/.exec(line!)![1]!;
  const check = () => Bun.spawnSync(here(healthcheck.test.slice(2), port)).exitCode;
  expect(check()).toBe(0);
  service.kill();
  expect(await service.exited).toBe(0);
  expect(check()).toBe(1);

  // What the snippet for Testcontainers runs, and the line that it waits for.
  const readme = readFileSync(join(root, "testing/README.md"), "utf8");
  const written = /withCommand\((\[[^\]]+\])\)/.exec(readme)![1]!;
  expect(JSON.parse(written.replace(/,\s*\]$/, "]"))).toEqual(command);
  expect(readme).toContain(`new GenericContainer("${image}")`);
  const pattern = /forLogMessage\(\/(.+?)\/\)/.exec(readme)![1]!;
  expect(line).toMatch(new RegExp(pattern));
});

interface Action {
  inputs: Record<string, { default: string }>;
  outputs: Record<string, { value: string }>;
  runs: {
    using: string;
    steps: { id: string; shell: string; run: string; env?: Record<string, string> }[];
  };
}

/** Runs the steps of the action as GitHub does, with values for its inputs; returns its outputs. */
async function runAction(
  inputs: Record<string, string>,
  environment: Record<string, string>,
): Promise<Record<string, string>> {
  const action = read("action.yml") as Action;
  expect(action.runs.using).toBe("composite");
  const values: Record<string, string> = {};
  for (const [name, { default: value }] of Object.entries(action.inputs)) {
    values[`inputs.${name}`] = inputs[name] ?? value;
  }
  const filled = (text: string) =>
    text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => {
      if (values[name] === undefined) throw new Error(`${name} has no value`);
      return values[name];
    });
  for (const { id, shell, run, env = {} } of action.runs.steps) {
    expect(shell).toBe("bash");
    const [directory, cwd] = [newDirectory(), newDirectory()];
    const [script, output] = [join(directory, "script.sh"), join(directory, "output")];
    writeFileSync(script, run);
    writeFileSync(output, "");
    const filled_env = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text)]));
    const log = join(directory, "log");
    const step = Bun.spawn(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], {
      cwd,
      env: { ...process.env, ...environment, GITHUB_OUTPUT: output, ...filled_env },
      stdin: "ignore",
      stdout: Bun.file(log),
      stderr: Bun.file(`${log}.errors`),
    });
    if ((await step.exited) !== 0) {
      throw new Error(`${id}: ${readFileSync(log, "utf8")}${readFileSync(`${log}.errors`, "utf8")}`);
    }
    for (const line of readFileSync(output, "utf8").trim().split("\n")) {
      const [name, value] = line.split(/=(.*)/);
      values[`steps.${id}.outputs.${name}`] = value!;
    }
  }
  return Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, filled(value)]));
}

/** The action's service answers with the default seed. Ends it. */
async function endService(outputs: Record<string, string>): Promise<void> {
  const state = (await (await fetch(`${outputs.url}/_dev`)).json()) as { seed: number };
  expect(state.seed).toBe(1);
  process.kill(Number(outputs.pid));
}

test.skipIf(lacks("the GitHub action", "bash", "npx"))(
  "the action builds the program from its checkout, starts it and returns its address",
  async () => {
    const checkout = newDirectory();
    const left_out = /^(?:node_modules|dist|\.git|\.venvs|test)$/;
    cpSync(root, checkout, {
      recursive: true,
      filter: (path) => !left_out.test(path.slice(root.length + 1)),
    });
    const inputs = { version: "source", port: "0" };
    const outputs = await runAction(inputs, { GITHUB_ACTION_PATH: join(checkout, "testing") });
    expect(outputs.bin).toBe(join(checkout, "dist/wharf"));
    await endService(outputs);
  },
);

test.skipIf(lacks_binary || lacks("the GitHub action with a release", "bash", "curl"))(
  "the action installs a release, starts it and returns its address",
  async () => {
    const [release, runner] = [join(newDirectory(), "release"), newDirectory()];
    await writeFakeRelease(release, version, `#!/bin/sh\nexec ${binary()} "$@"\n`);
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => new Response(Bun.file(join(release, new URL(url).pathname))),
    });
    const environment = { WHARF_DOWNLOAD_URL: server.url.origin, RUNNER_TEMP: runner };
    const outputs = await runAction({ port: "0" }, environment);
    expect(outputs.bin).toBe(join(runner, "wharf/wharf"));
    await endService(outputs);
  },
);

test("the action takes releases from where they are published", () => {
  const text = readFileSync(join(root, "testing/action.yml"), "utf8");
  expect(text).toContain(`:-${places.repository}/releases/latest/download}`);
});

test("the action fails with the output of a program that does not start", () => {
  const { run } = (read("action.yml") as Action).runs.steps.find(({ id }) => id === "start")!;
  const output = join(newDirectory(), "output");
  const { exitCode, stdout } = Bun.spawnSync(
    ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", run],
    {
      env: {
        ...process.env,
        GITHUB_OUTPUT: output,
        WHARF_BIN: "/nowhere/wharf",
        PORT: "0",
        SEED: "1",
        ARGUMENTS: "",
      },
      stdin: "ignore",
    },
  );
  expect(exitCode).toBe(1);
  expect(stdout.toString()).toContain("/nowhere/wharf");
});
