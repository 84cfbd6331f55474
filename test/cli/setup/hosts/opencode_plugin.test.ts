/** The plugins of opencode, with a stand-in of opencode and of the program that they run. */

import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inboxPlugin, leasesPlugin } from "../../../../src/cli/setup/hosts/opencode_plugin.ts";
import { recipe } from "../../../support/hosts/agent_hosts.ts";
import { newDirectory } from "../../../support/service.ts";

test("the plugin of leases is the recipe of docs/leases.md", () => {
  expect(leasesPlugin(["wharf", "lease", "guard", "--hook", "opencode"])).toBe(`${recipe("js opencode")}\n`);
});

interface Part {
  text: string;
}
interface Plugin {
  "chat.message"(input: object, output: { message: object; parts: Part[] }): Promise<void>;
  event(input: { event: object }): Promise<void>;
}

/** The plugin with a program that prints `unread` and saves what it gets. */
async function start(unread: string) {
  const folder = newDirectory();
  const got = join(folder, "got");
  const program = join(folder, "program's");
  writeFileSync(
    program,
    `#!/bin/sh\ncat >> '${got}'\nprintf '%s\\n' "$*" >> '${got}'\nprintf '%s' '${unread === "" ? "" : JSON.stringify({ text: unread })}'\n`,
  );
  chmodSync(program, 0o700);
  const file = join(folder, "plugin.js");
  writeFileSync(file, inboxPlugin([program, "inbox", "--as", 'a "b"']));
  const prompted: object[] = [];
  const sessions: Record<string, object> = { main: {}, sub: { parentID: "main" } };
  const client = {
    session: {
      get: async ({ path: { id } }: { path: { id: string } }) => ({ data: sessions[id] }),
      promptAsync: async (prompt: object) => void prompted.push(prompt),
    },
  };
  const { WharfInbox } = (await import(file)) as { WharfInbox(input: object): Promise<Plugin> };
  const plugin = await WharfInbox({ directory: folder, client });
  return {
    prompted,
    received: () => (existsSync(got) ? readFileSync(got, "utf8") : ""),
    folder,
    async prompt(sessionID: string): Promise<string[]> {
      const parts = [{ id: "prt_1", type: "text", text: "Hello" }];
      const message = { id: "msg_1", agent: "build", model: { providerID: "p", modelID: "m" } };
      await plugin["chat.message"]({ sessionID }, { message, parts });
      return parts.map(({ text }) => text);
    },
    idle: (sessionID: string) => plugin.event({ event: { type: "session.idle", properties: { sessionID } } }),
  };
}

describe("the plugin of the mailbox", () => {
  test("adds what is unread to a prompt", async () => {
    const { prompt, received, folder } = await start("2 notes");
    expect(await prompt("main")).toEqual(["Hello", "2 notes"]);
    const call = JSON.stringify({ directory: folder, event: "chat.message", sessionID: "main" });
    expect(received()).toBe(`${call}inbox --as a "b"\n`);
  });

  test("continues a session that has become idle, with the model of its last prompt", async () => {
    const { prompt, idle, prompted } = await start("2 notes");
    await prompt("main");
    await idle("main");
    expect(prompted).toEqual([
      {
        path: { id: "main" },
        body: {
          agent: "build",
          model: { providerID: "p", modelID: "m" },
          parts: [{ type: "text", text: "2 notes", synthetic: true, metadata: { wharf: true } }],
        },
      },
    ]);
  });

  test("adds nothing if nothing is unread", async () => {
    const { prompt, idle, prompted } = await start("");
    expect(await prompt("main")).toEqual(["Hello"]);
    await idle("main");
    expect(prompted).toEqual([]);
  });

  test("asks for no subagent", async () => {
    const { prompt, idle, received } = await start("2 notes");
    expect(await prompt("sub")).toEqual(["Hello"]);
    await idle("sub");
    expect(received()).toBe("");
  });
});
