/** Plays scripts of command lines with the compiled binary, and compares what they print. README.md describes the scripts. */

import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { version } from "../../../package.json";
import { patient } from "../../support/guards.ts";
import { started } from "../../support/leftovers.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";
import { startReceiver, type Receiver } from "../../support/webhook_receivers.ts";

/** What varies in outputs, by the names in scripts. */
const patterns: Record<string, string> = {
  address: String.raw`https?://127\.0\.0\.1:\d+`,
  date: String.raw`\d{4}-\d\d-\d\d`,
  hash: "[0-9a-f]{64}",
  key: "wf[a-z]_[0-9A-Za-z]{49}",
  number: String.raw`\d+`,
  rest: ".*",
  time: String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z`,
  uuid: "[0-9a-f-]{36}",
  version: version.replaceAll(".", String.raw`\.`),
  word: String.raw`[^\s"',;]*[^\s"',;.]`,
};

export interface Step {
  line: number;
  command: string;
  /** The output, with `{patterns}`. */
  output: string;
}

/** The steps of a script. */
export function stepsOf(file: string): Step[] {
  const steps: Step[] = [];
  readFileSync(file, "utf8")
    .split("\n")
    .forEach((text, index) => {
      if (text.startsWith("$ ")) steps.push({ line: index + 1, command: text.slice(2), output: "" });
      else if (!/^#(?: |$)/.test(text) && steps.length > 0) steps.at(-1)!.output += `${text}\n`;
    });
  return steps;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The expression for an expected output. It has a group for each name that `values` lacks. */
function expressionOf(output: string, values: Map<string, string>): RegExp {
  const named = new Set<string>();
  const source = output.split("\n").map((line) => {
    if (line === "...") return String.raw`(?:.*\n)*?`;
    const parts = line.split(/(\{\w+(?::\w+)?\})/);
    const expressions = parts.map((part, index) => {
      if (index % 2 === 0) return escaped(part);
      const [name, pattern] = part.slice(1, -1).split(":") as [string, string?];
      if (pattern !== undefined) {
        named.add(name);
        return `(?<${name}>${patterns[pattern] ?? unknown(part)})`;
      }
      if (named.has(name)) return String.raw`\k<${name}>`;
      const value = values.get(name);
      return value === undefined ? `(?:${patterns[name] ?? unknown(part)})` : escaped(value);
    });
    return `${expressions.join("")}\n`;
  });
  return new RegExp(`^${source.join("")}$`);
}

const unknown = (part: string): never => {
  throw new Error(`${part} is neither a pattern nor the name of a text`);
};

const trimmed = (output: string): string => (output.trimEnd() === "" ? "" : `${output.trimEnd()}\n`);

/** Plays a script with the program at `binary`. Throws an error with both outputs at the first step that prints something else. */
export async function play(file: string, binary: string): Promise<void> {
  const root = newDirectory();
  const [programs, directory] = [join(root, "bin"), join(root, "tour")];
  mkdirSync(programs);
  mkdirSync(directory);
  symlinkSync(binary, join(programs, "wharf"));
  const environment = { PATH: `${programs}:${process.env.PATH}`, HOME: root, TZ: "UTC", ...patient };
  const stage = new Stage(directory, environment);
  const values = new Map<string, string>();
  try {
    for (const { line, command, output } of stepsOf(file)) {
      const written = command.replace(/\{(\w+)\}/g, (part, name: string) => values.get(name) ?? part);
      const printed = trimmed(await stage.run(written));
      const found = expressionOf(trimmed(output).trimEnd(), values).exec(printed === "" ? "\n" : printed);
      if (!found) {
        const place = `${basename(file)}:${line}`;
        throw new Error(
          `${place} prints something else.\n$ ${written}\n-- expected --\n${output}-- printed --\n${printed}`,
        );
      }
      for (const [name, value] of Object.entries(found.groups ?? {})) values.set(name, value);
    }
    await stage.stop();
  } finally {
    await stage.kill();
    removeDirectory(root);
  }
}

/** Runs the commands of one script. */
class Stage {
  private services: Bun.Subprocess[] = [];
  private readonly receivers: Receiver[] = [];

  constructor(
    private readonly directory: string,
    private readonly environment: Record<string, string>,
  ) {}

  /** Runs a command line. Returns what it prints, with a line for an exit status other than 0. */
  async run(command: string): Promise<string> {
    if (command === "stop") return this.stop();
    if (command === "receive") return this.receive();
    if (command.endsWith(" &")) return this.start(command.slice(0, -2));
    return this.print(command);
  }

  private spawn(line: string) {
    return Bun.spawn(["sh", "-c", line], {
      cwd: this.directory,
      env: this.environment,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
  }

  private async print(command: string): Promise<string> {
    const child = this.spawn(`exec 2>&1\n${command}`);
    const [output, status] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    return status === 0 ? output : `${trimmed(output)}[status ${status}]\n`;
  }

  /** Starts a service. Returns what it prints until it serves. If it ends before that, its log and status. */
  private async start(command: string): Promise<string> {
    // `env`, because `exec` takes no variables before the program.
    const child = this.spawn(`exec env ${command} 2>>serve.log`);
    started.push(child);
    this.services.push(child);
    let output = "";
    for await (const chunk of child.stdout) {
      output += new TextDecoder().decode(chunk);
      // The first line of `wharf dev` is its URL, or one object.
      if (/ is serving at .*\n$/s.test(output) || /^(?:http:\S+|\{.*\})\n$/.test(output)) return output;
    }
    const log = readFileSync(join(this.directory, "serve.log"), "utf8");
    return `${output}${log}[status ${await child.exited}]\n`;
  }

  /** Starts a receiver of webhooks, which answers calls with the status in the query of its address. Returns the address. */
  private receive(): string {
    const receiver = startReceiver((_call, { url }) => {
      const status = new URL(url).searchParams.get("status");
      return status === null ? undefined : new Response(null, { status: Number(status) });
    });
    this.receivers.push(receiver);
    return `${receiver.url}\n`;
  }

  async stop(): Promise<string> {
    const ending = this.services.splice(0);
    for (const service of ending) service.kill("SIGTERM");
    const statuses = await Promise.all(ending.map((service) => service.exited));
    return statuses
      .filter((status) => status !== 0)
      .map((status) => `[status ${status}]\n`)
      .join("");
  }

  async kill(): Promise<void> {
    for (const service of this.services) service.kill("SIGKILL");
    await Promise.all([
      ...this.services.map((service) => service.exited),
      ...this.receivers.map((receiver) => receiver.stop()),
    ]);
  }
}
