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

/**
 * The pages that it wants to have opened, in its output so far. mcp-remote 0.15.1 prints the page of its first sign-in once it listens for the
 * answer. It prints the page of a later one before it listens, and an answer that comes in between is lost: then it waits without a limit.
 */
function pagesIn(output: string): string[] {
  const listened = [...output.matchAll(/OAuth callback server running at \S+\n/g)].length;
  return [...output.matchAll(/by visiting:\n(\S+)\n/g)].slice(0, listened).map(([, page]) => page!);
}

async function start(given: Given): Promise<SigningClient> {
  const home = newDirectory();
  homes.push(home);
  const transport = new StdioClientTransport({
    command: "node",
    args: [script, given.url, String(await freePort()), "--host", "127.0.0.1", ...optionsFor(given)],
    // It opens pages with BROWSER: the test takes their addresses from its output.
    env: { PATH: process.env.PATH!, HOME: home, BROWSER: "true" },
    stderr: "pipe",
  });
  let output = "";
  const allowed: Promise<void>[] = [];
  const refused = Promise.withResolvers<never>();
  refused.promise.catch(() => {});
  transport.stderr!.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    for (const page of pagesIn(output).slice(allowed.length)) {
      allowed.push(given.allow(page));
      allowed.at(-1)!.catch(refused.reject);
    }
  });
  const client = oldClientOver(transport);

  /** Waits also for the pages. If one of them or the program fails, it ends the program, which would open further pages in later tests. */
  async function succeeded<T>(result: Promise<T>): Promise<T> {
    try {
      const value = await Promise.race([result, refused.promise]);
      await Promise.all(allowed);
      return value;
    } catch (error) {
      await transport.close();
      throw new Error(`${String(error)}\nThe output of mcp-remote:\n${output}`, { cause: error });
    }
  }

  return {
    async nameOfLocker() {
      const called = client.then((it) => it.call("locker_list", {}));
      const { structuredContent } = await succeeded(called);
      return structuredContent!.name as string;
    },
    close: async () => (await client).close(),
  };
}

describe.skipIf(lacks("mcp-remote", "node"))("a program with mcp-remote 0.15", () => {
  const { signsIn, registersAgain } = useSigningIn("/oauth/callback");
  signsIn(start);
  registersAgain(start);
});
