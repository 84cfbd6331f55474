/** testing/docker-compose.yml and testing/action.yml: their commands run here, without Docker and GitHub. */

import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary, lacks_binary } from "../support/binary.ts";
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
    wharf: { volumes: string[]; command: string[]; ports: string[]; healthcheck: { test: string[] } };
  };
}

test.skipIf(lacks_binary)("the container serves, and its health check waits for that", async () => {
  const { volumes, command, ports, healthcheck } = (read("docker-compose.yml") as Compose).services.wharf;
  expect(volumes).toEqual(["${WHARF_BIN:-../dist/wharf}:/usr/local/bin/wharf:ro"]);
  expect(ports).toEqual(["127.0.0.1:${WHARF_TEST_PORT:-4273}:4273"]);
  expect(command.slice(0, 2)).toEqual(["wharf", "dev"]);
  expect(healthcheck.test.slice(0, 3)).toEqual(["CMD", "wharf", "healthcheck"]);

  const here = (words: string[], port: string) => [
    binary(),
    ...words.map((word) => word.replace(/4273$/, port)),
  ];
  await using service = Bun.spawn(here(command.slice(1), "0"), {
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
  expect(JSON.parse(/withCommand\((\[.+\])\)/.exec(readme)![1]!)).toEqual(command);
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

test.skipIf(lacks("the GitHub action", "bash", "npx"))(
  "the action builds the program, starts it and returns its address",
  async () => {
    const action = read("action.yml") as Action;
    expect(action.runs.using).toBe("composite");
    const checkout = newDirectory();
    const left_out = /^(?:node_modules|dist|\.git|\.venvs|test|docs)$/;
    cpSync(root, checkout, {
      recursive: true,
      filter: (path) => !left_out.test(path.slice(root.length + 1)),
    });

    const values: Record<string, string> = {};
    for (const [name, input] of Object.entries(action.inputs)) values[`inputs.${name}`] = input.default;
    values["inputs.port"] = "0";
    const filled = (text: string) =>
      text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => {
        if (values[name] === undefined) throw new Error(`${name} has no value`);
        return values[name];
      });
    for (const { id, shell, run, env = {} } of action.runs.steps) {
      expect(shell).toBe("bash");
      const output = join(checkout, `${id}.output`);
      writeFileSync(output, "");
      const script = join(checkout, `${id}.sh`);
      writeFileSync(script, run);
      const filled_env = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text)]));
      // As GitHub runs a step with `shell: bash`.
      const { exitCode, stdout, stderr } = Bun.spawnSync(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
        {
          cwd: newDirectory(),
          env: {
            ...process.env,
            GITHUB_ACTION_PATH: join(checkout, "testing"),
            GITHUB_OUTPUT: output,
            ...filled_env,
          },
          stdin: "ignore",
        },
      );
      if (exitCode !== 0) throw new Error(`${id}: ${stdout.toString()}${stderr.toString()}`);
      for (const line of readFileSync(output, "utf8").trim().split("\n")) {
        const [name, value] = line.split(/=(.*)/);
        values[`steps.${id}.outputs.${name}`] = value!;
      }
    }
    const outputs = Object.fromEntries(
      Object.entries(action.outputs).map(([name, { value }]) => [name, filled(value)]),
    );
    const state = (await (await fetch(`${outputs.url}/_dev`)).json()) as { seed: number };
    expect(state.seed).toBe(1);
    expect(outputs.bin).toBe(join(checkout, "dist/wharf"));
    process.kill(Number(outputs.pid));
  },
);

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
