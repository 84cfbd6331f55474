/** The examples of documents, extracted unchanged and run as a reader would who copies them. */

import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lacks } from "./programs.ts";
import { binary } from "./binary.ts";
import { newDirectory, removeDirectory } from "./service.ts";

/** Whether programs are missing that the examples need beside coreutils. */
export const cannot_run = lacks(
  "the examples in documents",
  "bash",
  "curl",
  "jq",
  "openssl",
  "bc",
  "grep",
  "sed",
);

export interface CodeBlock {
  /** The language after the fence: `bash`, `json`. */
  language: string;
  text: string;
}

/** The fenced blocks of a markdown text, in their order. */
export const blocksOf = (markdown: string): CodeBlock[] =>
  Array.from(markdown.matchAll(/^(`{3,})([^\n`]*)\n([\s\S]*?)^\1$/gm), ([, , info, text]) => ({
    language: info!.split(" ")[0]!,
    text: text!,
  }));

export interface Call {
  /** The index of the block. */
  block: number;
  status: number;
  what: string;
}
export interface Ran {
  /** The output of each block that was started. */
  outputs: string[];
  calls: Call[];
  faults: string;
  exit_code: number;
}

/**
 * Runs shell blocks one after another in one bash, in a new directory. The addresses in them are those of the service.
 * Every call of curl is recorded, and `wharf` is the compiled binary. After each call of curl, `after_call` is requested.
 */
export async function runBlocks(blocks: string[], after_call?: string): Promise<Ran> {
  const directory = newDirectory();
  const programs = join(directory, "bin");
  const work = join(directory, "work");
  mkdirSync(programs);
  mkdirSync(work);
  const curl = join(programs, "curl");
  const seen = "-w '%{stderr}\\nexample-call %{http_code} %{method} %{url}\\n'";
  const real = Bun.which("curl");
  const then = after_call ? `code=$?; ${real} -s -o /dev/null ${after_call}; exit $code` : "";
  writeFileSync(curl, `#!/bin/sh\n${real} -sS ${seen} "$@"\n${then}\n`);
  chmodSync(curl, 0o755);
  symlinkSync(binary(), join(programs, "wharf"));
  const script = blocks.map((block) => `printf '\\036'; printf '\\036' >&2\n${block}`).join("\n");
  const shell = Bun.spawn(["bash", "-euo", "pipefail", "-c", script], {
    cwd: work,
    env: {
      ...process.env,
      PATH: `${programs}:${process.env.PATH}`,
      XDG_CONFIG_HOME: directory,
      XDG_STATE_HOME: directory,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
  ]);
  const exit_code = await shell.exited;
  removeDirectory(directory);
  const call_form = /^example-call (\d+) (.*)\n/gm;
  const errors_of_blocks = errors.split("\x1e").slice(1);
  return {
    outputs: out.split("\x1e").slice(1),
    calls: errors_of_blocks.flatMap((text, block) =>
      Array.from(text.matchAll(call_form), ([, status, what]) => ({
        block,
        status: Number(status),
        what: what!,
      })),
    ),
    faults: errors_of_blocks.join("").replace(call_form, "").trim(),
    exit_code,
  };
}
