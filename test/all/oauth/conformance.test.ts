/**
 * The scenarios of the official conformance suite for authorization servers, with a browser. None is left out. The suite has no
 * client with a secret: it sends a secret only to a server that does not support public clients.
 */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { orThrow } from "../../../src/client/client.ts";
import { ownerOf } from "../../support/admin.ts";
import { freePort } from "../../support/free_port.ts";
import { registered } from "../../support/oauth.ts";
import { linesOf } from "../../support/python.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";
import { useSigningIn } from "./support/scenario.ts";
import type { World } from "./support/world.ts";

const suite = join(import.meta.dir, "../../../node_modules/conformance-next/dist/index.js");
const { world, newPerson } = useSigningIn();
let names = 0;

const clients: [string, (world: World, redirect_uri: string) => Promise<string[]>][] = [
  [
    "that has registered itself",
    async ({ url }, redirect_uri) => [
      "--client-id",
      await registered(url, { redirect_uris: [redirect_uri] }),
    ],
  ],
  ["with a document", async ({ document_url }) => ["--client-id", document_url]],
  [
    "that was added",
    async (place, redirect_uri) => {
      const body = { name: "The suite", redirect_uris: [redirect_uri] };
      return ["--client-id", (await orThrow(ownerOf(place).post("/api/admin/clients", { body }))).client_id];
    },
  ],
];

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

test.each(clients)(
  "passes for a client %s, while a person claims a name on the way",
  async (_title, known) => {
    const { url } = world.it;
    const port = await freePort();
    const results = newDirectory();
    const who = await known(world.it, `http://127.0.0.1:${port}/callback`);
    const child = Bun.spawn(
      [
        ...[
          process.execPath,
          suite,
          "authorization",
          "--url",
          `${url}/oauth`,
          "--port",
          String(port),
          ...who,
        ],
        ...["--resource", `${url}/mcp/account`, "--output-dir", results],
      ],
      { stdin: "ignore", stdout: "pipe", stderr: "inherit" },
    );
    const { allow } = await newPerson({ name: `newcomer-${++names}` });
    let output = "";
    for await (const line of linesOf(child.stdout)) {
      output += `${line}\n`;
      if (line.startsWith(`${url}/oauth/authorize?`)) await allow(line);
    }
    expect(await child.exited, output).toBe(0);
    const checks = readdirSync(results, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith("checks.json"))
      .flatMap((path) => JSON.parse(readFileSync(join(results, path), "utf8")) as Check[]);
    expect(checks.filter(({ status }) => status !== "SUCCESS")).toEqual([]);
    expect(checks.map(({ id }) => id).toSorted()).toEqual([
      ...["authorization-code-grant", "authorization-server-metadata", "authorization-server-metadata-cimd"],
    ]);
    removeDirectory(results);
  },
);
