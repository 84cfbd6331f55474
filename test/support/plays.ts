/**
 * Plays of the documents: blocks of several agents, each in a shell or at an MCP client of its own, that run in their order, and
 * blocks of `text` that show what comes back.
 */

import { join } from "node:path";
import { symlinkSync, mkdirSync } from "node:fs";
import { binary } from "./binary.ts";
import { started } from "./leftovers.ts";
import { newDirectory, removeDirectory } from "./service.ts";
import { callTool, wordsOf } from "./tools.ts";

export interface Step {
  /** Whose block it is. */
  actor: string;
  /** `sh`: lines of a shell. `mcp`: a tool and its arguments. `text`: what the latest block of the actor has returned. */
  language: "sh" | "mcp" | "text";
  /** Whether others continue when it has printed something. It is awaited at the next block of its actor. */
  waits: boolean;
  text: string;
}

/** The blocks of a play. The word after the language is the actor; `text` without one belongs to the block before. */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  for (const [, info, text] of markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)) {
    const [language, actor, ...more] = info!.split(" ");
    const step = { actor: actor ?? steps.at(-1)?.actor, language, waits: more.includes("waits"), text };
    if (!step.actor || !/^(?:sh|mcp|text)$/.test(language!)) throw new Error(`A play has no block ${info}.`);
    steps.push(step as Step);
  }
  return steps;
}

/** The records of a play that ran: what each block of `text` shows, and what was returned there. */
export interface Shown {
  expected: string;
  returned: string;
}

const end_of_block = "\x1e";

/** Words in the arguments of a tool that stand for what the latest results of the actor show. */
const placeholders = {
  ID: /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/,
  ROOM: /private--[a-z2-7]{26}/,
  TOSS: /toss \d+-[\da-f]{6}: [^"\n]+/,
};

/** A shell of one agent, on a machine of its own. */
function shellOf(directory: string, programs: string) {
  const shell = Bun.spawn(["bash", "-euo", "pipefail"], {
    cwd: directory,
    env: { PATH: `${programs}:${process.env.PATH}`, HOME: directory },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  started.push(shell);
  const output = shell.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  return {
    /** Runs lines. Returns their output; throws if a command fails. `begun`: called when they have printed something. */
    async run(lines: string, begun: () => void): Promise<string> {
      void shell.stdin.write(`{ ${lines.trimEnd()}\n} 2>&1 < /dev/null\nprintf '\\036'\n`);
      await shell.stdin.flush();
      for (;;) {
        const at = rest.indexOf(end_of_block);
        if (at >= 0) {
          const printed = rest.slice(0, at);
          rest = rest.slice(at + 1);
          return printed;
        }
        const { value, done } = await output.read();
        if (done) throw new Error(`These lines failed:\n${lines}\n${rest}`);
        rest += value;
        begun();
      }
    },
    end: () => shell.kill(),
  };
}

/** Runs a play at the service at `url`. */
export async function perform(url: string, steps: Step[]): Promise<Shown[]> {
  const stage = newDirectory();
  const programs = join(stage, "bin");
  mkdirSync(programs);
  symlinkSync(binary(), join(programs, "wharf"));
  const shells = new Map<string, ReturnType<typeof shellOf>>();
  const returned = new Map<string, Promise<string>>();
  const shown: Shown[] = [];
  const shellFor = (actor: string) => {
    const home = join(stage, actor);
    if (!shells.has(actor)) {
      mkdirSync(home);
      shells.set(actor, shellOf(home, programs));
    }
    return shells.get(actor)!;
  };
  /** What the placeholders stand for: the first text of their form in the latest result that has any. */
  const found = new Map<string, string>();
  const keys = new Map<string, Record<string, string>>();
  async function callOf(actor: string, text: string): Promise<string> {
    const [, tool, args] = /^(\w+) (\{[\s\S]*\})\s*$/.exec(text)!;
    const meant = args!.replace(/\b[A-Z]+\b/g, (word) => found.get(`${actor} ${word}`) ?? word);
    const given = JSON.parse(meant) as object;
    const answer = await callTool(url, tool!, given, keys.get(actor));
    if (answer.isError) throw new Error(`${text}${wordsOf(answer)}`);
    const { name, key } = (answer.structuredContent ?? {}) as { name?: string; key?: string };
    if (name && key) keys.set(actor, { "x-wf-name": name, "x-wf-key": key });
    const words = wordsOf(answer);
    for (const [word, form] of Object.entries(placeholders)) {
      const [first] = form.exec(words) ?? [];
      if (first) found.set(`${actor} ${word}`, first);
    }
    return words;
  }
  try {
    for (const { actor, language, waits, text } of steps) {
      const before = await returned.get(actor);
      if (language === "text") {
        shown.push({ expected: text, returned: before ?? "" });
        continue;
      }
      const begun = Promise.withResolvers<void>();
      const result = language === "sh" ? shellFor(actor).run(text, begun.resolve) : callOf(actor, text);
      returned.set(actor, result);
      await (waits ? Promise.race([begun.promise, result]) : result);
    }
    await Promise.all(returned.values());
    return shown;
  } finally {
    for (const { end } of shells.values()) end();
    removeDirectory(stage);
  }
}
