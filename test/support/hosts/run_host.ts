/** Runs agents: a real host with a scripted model, or an imitation that sends the recorded calls of a host to its hooks. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { started } from "../leftovers.ts";
import type { AgentHost } from "./agent_hosts.ts";
import { startModel, type Turn } from "./scripted_model.ts";

export interface Agent {
  host: AgentHost;
  repository: string;
  home: string;
  /** Of its commands and hooks. */
  environment: Record<string, string>;
  /** What its model does next, by what its tools have returned. */
  script: (results: string[]) => Turn | Promise<Turn>;
}

/** Runs an agent until its model ends its turn. */
export type RunAgent = (agent: Agent) => Promise<void>;

/** Runs the host itself, whose programs are in `programs`. */
export const runHostIn =
  (programs: string): RunAgent =>
  async ({ host, repository, home, environment, script }) => {
    const model = startModel(host.shell_tool, script);
    host.settle(home, repository, model.url);
    const child = Bun.spawn(host.words, {
      cwd: repository,
      env: {
        ...environment,
        PATH: `${programs}:${environment["PATH"]}`,
        ...host.environment(model.url),
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    started.push(child);
    const [printed, errors, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    model.stop();
    if (status !== 0 || model.results.length === 0)
      throw new Error(`${host.name}: status ${status}\n${printed}\n${errors}`);
  };

type Json = Record<string, unknown>;

/** Sends calls as the host has sent them, by its hooks in the repository, and does what its tools do. */
export const imitateHost: RunAgent = async (agent) => {
  const { host, repository, script } = agent;
  const hooks = await hooksOf(agent);
  const results: string[] = [];
  for (;;) {
    const turn = await script(results);
    if ("text" in turn) break;
    const { tool, input } = turn;
    if (tool === host.shell_tool) {
      const { command, cmd } = input as { command?: string; cmd?: string };
      results.push((await run(["sh", "-c", command ?? cmd!], agent)).all);
      continue;
    }
    const target = writtenBy(turn);
    if (target === null) {
      const { file_path, filePath } = input as Record<string, string>;
      results.push(readFileSync((file_path ?? filePath)!, "utf8"));
      continue;
    }
    const refusal = await hooks.before(
      tool,
      host.name === "codex" ? { command: (input as Json)["input"] } : input,
    );
    results.push(refusal ?? "done");
    if (refusal !== null) continue;
    const file = join(repository, target.file.replace(repository, ""));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, target.text);
  }
  await hooks.end();
};

/** What a turn writes; null if it reads. */
function writtenBy(turn: Turn): { file: string; text: string } | null {
  const input = "input" in turn ? (turn.input as Record<string, string>) : {};
  if (input["content"] !== undefined)
    return { file: (input["file_path"] ?? input["filePath"])!, text: input["content"] };
  const [, file, added] =
    /^\*\*\* Add File: (.+)\n([\s\S]+)\n\*\*\* End Patch$/m.exec(input["input"] ?? "") ?? [];
  return file === undefined ? null : { file, text: added!.replaceAll(/^\+(.*)$/gm, "$1") + "\n" };
}

interface Hooks {
  /** Returns why the hooks refuse a call of a tool; null if they allow it. */
  before(tool: string, input: object): Promise<string | null>;
  end(): Promise<void>;
}

const none: Hooks = { before: async () => null, end: async () => {} };

async function hooksOf(agent: Agent): Promise<Hooks> {
  const { host, repository } = agent;
  const file = join(repository, host.recipe_file);
  if (!existsSync(file)) return none;
  return file.endsWith(".js") ? pluginHooks(agent, file) : commandHooks(agent, file);
}

/** A recorded call of the host. `ends`: that of the end of a session. */
function recorded({ name }: AgentHost, ends: boolean): Json {
  const file = join(import.meta.dir, "../../fixtures/host_hooks", `${name}.json`);
  const { calls } = JSON.parse(readFileSync(file, "utf8")) as {
    calls: { sent: Json; edits?: string[]; ends?: true }[];
  };
  return calls.find((call) => (ends ? call.ends : call.edits))!.sent;
}

/** The hooks of settings in JSON: each event has groups with a pattern of tools, and commands. */
function commandHooks(agent: Agent, file: string): Hooks {
  const { hooks } = JSON.parse(readFileSync(file, "utf8")) as {
    hooks: Record<string, { matcher?: string; hooks: { command: string }[] }[]>;
  };
  const send = async (call: Json): Promise<string | null> => {
    for (const { matcher, hooks: commands } of hooks[String(call["hook_event_name"])] ?? []) {
      if (matcher && !new RegExp(`^(?:${matcher})$`).test(String(call["tool_name"]))) continue;
      for (const { command } of commands) {
        const { printed, status, all } = await run(["sh", "-c", command], agent, JSON.stringify(call));
        if (status !== 0) throw new Error(`${command}: status ${status}\n${all}`);
        const reason = printed === "" ? undefined : reasonIn(JSON.parse(printed));
        if (reason !== undefined) return reason;
      }
    }
    return null;
  };
  const common = { session_id: crypto.randomUUID(), cwd: agent.repository };
  return {
    before: (tool_name, tool_input) =>
      send({ ...recorded(agent.host, false), ...common, tool_name, tool_input }),
    end: async () => void (await send({ ...recorded(agent.host, true), ...common })),
  };
}

/** The reason of a refusal, as Claude Code and Codex read it, or as Gemini CLI does. */
const reasonIn = ({ hookSpecificOutput: specific, decision, reason }: Record<string, Json & string>) =>
  specific?.["permissionDecision"] === "deny"
    ? String(specific["permissionDecisionReason"])
    : decision === "deny"
      ? String(reason)
      : undefined;

/** The hooks of a plugin of opencode, in a process with the environment of the agent. */
function pluginHooks(agent: Agent, file: string): Hooks {
  const sessionID = `ses_${crypto.randomUUID()}`;
  const call = async (lines: string): Promise<string | null> => {
    const program = [
      `const { WharfLeases } = await import(${JSON.stringify(file)});`,
      `const hooks = await WharfLeases({ directory: ${JSON.stringify(agent.repository)} });`,
      lines,
    ].join("\n");
    const { status, errors } = await run([process.execPath, "-e", program], agent);
    return status === 0 ? null : errors;
  };
  const before = (tool: string, args: object) =>
    `await hooks["tool.execute.before"](${JSON.stringify({ tool, sessionID, callID: "call_1" })}, ${JSON.stringify({ args })});`;
  return {
    before: (tool, args) => call(before(tool, args)),
    // What is no edit makes no call, but the plugin ends the sessions that it has seen: one of its edits comes again.
    end: async () => void (await call(`${before("edit", { filePath: "" })}\nawait hooks.dispose();`)),
  };
}

async function run(command: string[], { repository, environment }: Agent, input = "") {
  const child = Bun.spawn(command, {
    cwd: repository,
    env: environment,
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  started.push(child);
  const [printed, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { printed, errors, status, all: printed + errors };
}
