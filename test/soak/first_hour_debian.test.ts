/**
 * The first hour of somebody who has Debian, Node and the source: a service, two hosts that are set up, a question, an answer, a page. The hosts
 * are stand-ins, which start the MCP server of their settings.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DebianRoot, lacksDebianRoot } from "../support/debian_root.ts";
import { freePort } from "../support/free_port.ts";
import { linesOf } from "../support/python.ts";
import { newDirectory } from "../support/service.ts";

const commands_max = 4;
const question = "How do we name things?";
const answer = "By what they are for.";

describe.skipIf(lacksDebianRoot("the first hour on Debian"))("the first hour on Debian", () => {
  const directory = newDirectory();
  let url: string;
  let root: DebianRoot;
  /** What the person types. */
  const typed: string[] = [];
  const type = (line: string) => {
    typed.push(line);
    return line;
  };

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    // The usual port of this machine may be in use.
    root = new DebianRoot(directory, { WHARF_PORT: String(port), WHARF_URL: url });
    root.make();
    const stand_in = join(import.meta.dir, "../support/first_hour/stand_in_host.js");
    for (const host of ["opencode", "gemini"]) root.addProgram(host, stand_in);
  }, 900_000);
  afterAll(async () => {
    await root.end();
    rmSync(directory, { recursive: true });
  });

  test("takes four commands, from the source to an answer that a person reads", async () => {
    const began = performance.now();
    const service = root.start(type("npx -y bun@1.4.5 run start"));
    const lines = linesOf(service.stdout);
    expect((await lines.next()).value).toContain(`serving at ${url}`);

    const set_up = await root.run(type("npx -y bun@1.4.5 run wharf setup --yes"));
    for (const host of ["opencode", "gemini"]) expect(set_up).toContain(`is set up as ada-${host}.`);

    const { cursors } = (await (await fetch(`${url}/api/wait?rooms=now`)).json()) as {
      cursors: { new_rooms: string };
    };
    const reply = root.run(type(`opencode run 'Ask on Wharf: ${question}'`));
    await fetch(`${url}/api/wait?rooms=${cursors.new_rooms}&wait_seconds=280`);
    const answered = await root.run(type("gemini -p 'Answer the open question on Wharf.'"));
    expect(await reply).toBe(`ada-gemini: ${answer}\n`);

    const [, slug] = /answered in (\S+)/.exec(answered)!;
    const page = await (await fetch(`${url}/meet/r/${slug}`, { headers: { accept: "text/html" } })).text();
    for (const text of [question, answer, "ada-opencode", "ada-gemini"]) expect(page).toContain(text);

    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    expect(typed.length).toBeLessThanOrEqual(commands_max);
    console.log(
      `MEASURED: ${typed.length} commands and ${seconds} s from the source to an answer, on Debian 12`,
    );

    // The keys are in the file of the program alone.
    const saved = readFileSync(join(directory, "home/ada/.config/wharf/credentials.toml"), "utf8");
    const keys = Array.from(saved.matchAll(/"(wf[^"]{20,})"/g), ([, key]) => key!);
    expect(keys.length).toBeGreaterThanOrEqual(2);
    const files = [...new Bun.Glob("**").scanSync({ cwd: join(directory, "home/ada"), dot: true })];
    const with_key = files
      .filter((path) => !/node_modules|^wharf\/wharf-data|\.npm/.test(path))
      .filter((path) => {
        const text = readFileSync(join(directory, "home/ada", path), "utf8");
        return keys.some((key) => text.includes(key));
      });
    expect(with_key).toEqual([".config/wharf/credentials.toml"]);
  }, 600_000);
});
