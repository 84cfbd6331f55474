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
  let opened = 0;
  transport.stderr!.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    const pages = [...output.matchAll(/by visiting:\n(\S+)\n/g)];
    for (; opened < pages.length; opened++) void given.allow(pages[opened]![1]!);
  });
  const client = oldClientOver(transport);
  return {
    async nameOfLocker() {
      const { structuredContent } = await (await client).call("locker_list", {});
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
