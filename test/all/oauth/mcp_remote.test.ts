/** mcp-remote, which clients start as a program, signs in at /mcp/account with a browser. */

import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, describe } from "bun:test";
import { join } from "node:path";
import { freePort } from "../../support/free_port.ts";
import { oldClientOver } from "../../support/mcp_clients.ts";
import { lacks } from "../../support/programs.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";
import { useSigningIn, type Given, type SigningClient } from "./support/scenario.ts";

const script = join(import.meta.dir, "../../../node_modules/mcp-remote/dist/proxy.js");
const homes: string[] = [];
afterAll(() => homes.forEach(removeDirectory));

/** The options by which it is known as something else than a program that registers. */
function optionsFor({ document_url, client_id, client_secret }: Given): string[] {
  if (document_url !== undefined) return ["--client-metadata-url", document_url];
  if (client_id === undefined) return [];
  return ["--static-oauth-client-info", JSON.stringify({ client_id, client_secret })];
}

/** The page that it wants to have opened, in its output so far; undefined before it listens for the answer, which would be lost. */
const pageIn = (output: string): string | undefined =>
  /OAuth callback server running at \S+\n/.test(output)
    ? /by visiting:\n(\S+)\n/.exec(output)?.[1]
    : undefined;

/** Starts it with what it has stored in `home`. */
async function run(given: Given, home: string) {
  const transport = new StdioClientTransport({
    command: "node",
    args: [script, given.url, String(await freePort()), "--host", "127.0.0.1", ...optionsFor(given)],
    // It opens pages with BROWSER: the test takes their addresses from its output.
    env: { PATH: process.env.PATH!, HOME: home, BROWSER: "true" },
    stderr: "pipe",
  });
  let output = "";
  let allowed: Promise<void> | undefined;
  const refused = Promise.withResolvers<never>();
  refused.promise.catch(() => {});
  transport.stderr!.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    const page = pageIn(output);
    if (page === undefined || allowed) return;
    allowed = given.allow(page);
    allowed.catch(refused.reject);
  });
  const client = oldClientOver(transport);

  /** Waits also for the page. If that or the program fails, it ends the program, which would open further pages in later tests. */
  async function succeeded<T>(result: Promise<T>): Promise<T> {
    try {
      const value = await Promise.race([result, refused.promise]);
      await allowed;
      return value;
    } catch (error) {
      await transport.close();
      throw new Error(`${String(error)}\nThe output of mcp-remote:\n${output}`, { cause: error });
    }
  }

  return {
    call: (tool: string) => succeeded(client.then((it) => it.call(tool, {}))),
    close: async () => (await client).close(),
  };
}

async function start(given: Given): Promise<SigningClient> {
  const home = newDirectory();
  homes.push(home);
  let running = await run(given, home);
  return {
    async nameOfLocker() {
      const { structuredContent } = await running.call("locker_list");
      return structuredContent!.name as string;
    },
    // While mcp-remote 0.15.1 runs, its stream ends with its grant and is opened again a second later. If a call signs in at that moment,
    // each of the two forgets what the other has begun.
    async restart() {
      await running.close();
      running = await run(given, home);
    },
    close: () => running.close(),
  };
}

describe.skipIf(lacks("mcp-remote", "node"))("a program with mcp-remote 0.15", () => {
  const { signsIn, registersAgain } = useSigningIn("/oauth/callback");
  signsIn(start);
  registersAgain(start);
});
