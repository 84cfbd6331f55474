/** A service at which programs sign in, the host of the documents of programs, and a person at a browser. */

import { afterAll, beforeAll } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { makeCertificate } from "../../../support/certificates.ts";
import { linesOf } from "../../../support/python.ts";
import { newDirectory, removeDirectory } from "../../../support/service.ts";

export interface World {
  url: string;
  /** The data directory of the service, with its admin socket. */
  directory: string;
  /** The address of the document of a program that listens on a port of this machine. */
  document_url: string;
  /** Lets time pass at the service. */
  advance(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

/** The answers of the service go to any port at the first path, those for mcp-remote at the second one. */
export const callback_paths = ["/callback", "/oauth/callback"];

/** The host of a document, with a certificate by the authority of the test. */
function startDocuments(directory: string) {
  const authority = makeCertificate(directory, "authority", 90, "DNS:authority.example");
  const { cert, key } = makeCertificate(directory, "documents", 90, "DNS:localhost", authority);
  const server = Bun.serve({
    port: 0,
    hostname: "localhost",
    tls: { cert: Bun.file(cert), key: Bun.file(key) },
    fetch: ({ url }) =>
      Response.json({
        client_id: url,
        client_name: "A program with a document",
        redirect_uris: callback_paths.map((path) => `http://127.0.0.1${path}`),
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      }),
  });
  const url = `https://localhost:${server.port}/program.json`;
  return { authority: authority.cert, url, stop: () => server.stop(true) };
}

async function startWorld(): Promise<World> {
  const directory = newDirectory();
  const documents = startDocuments(directory);
  const data_dir = join(directory, "data");
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "service.ts"), data_dir], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: documents.authority },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = linesOf(child.stdout);
  const said = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("The service has ended.");
    return value;
  };
  return {
    url: await said(),
    directory: data_dir,
    document_url: documents.url,
    async advance(seconds) {
      void child.stdin.write(`${seconds}\n`);
      await child.stdin.flush();
      await said();
    },
    async stop() {
      await child.stdin.end();
      await child.exited;
      await documents.stop();
      removeDirectory(directory);
    },
  };
}

/** For the top of a test file: starts it before the tests and stops it at their end. */
export function useWorld(): { readonly it: World } {
  let world!: World;
  beforeAll(async () => void (world = await startWorld()));
  afterAll(() => world?.stop());
  return {
    get it() {
      return world;
    },
  };
}

/** Where a program waits for the answers that a browser brings. */
export function startCallback(path: string) {
  let arrived: (url: URL) => void = () => {};
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      if (new URL(url).pathname !== path) return new Response(null, { status: 204 });
      arrived(new URL(url));
      return new Response("You can close this page.");
    },
  });
  return {
    uri: `http://127.0.0.1:${server.port}${path}`,
    next: () => new Promise<URL>((resolve) => (arrived = resolve)),
    stop: () => server.stop(true),
  };
}

/** How a person comes to act under a name at the page that a program opens. */
export type Person =
  | { name: string; key: string }
  /** It claims the name there. */
  | { name: string };

/** Opens the page, signs in or claims a name if the page wants that, and allows the program. */
export async function allow(page: Page, authorize: string, person: Person): Promise<void> {
  await page.goto(authorize);
  const main = page.locator("main");
  const allowing = main.getByRole("button", { name: "Allow", exact: true });
  const signing = main.getByRole("link", { name: "Sign in" });
  await allowing.or(signing).waitFor();
  if (await signing.isVisible()) {
    if ("key" in person) {
      await signing.click();
      await main.locator("[name=name]").fill(person.name);
      await main.locator("[name=key]").fill(person.key);
      await main.locator("form:has([name=key]) button[type=submit]").click();
    } else {
      await main.getByRole("link", { name: "Claim a name" }).click();
      await main.locator("[name=name]").fill(person.name);
      await page.getByRole("button", { name: "Claim it" }).click();
      await page.getByRole("button", { name: "I have saved both" }).click();
    }
  }
  await allowing.waitFor();
  await allowing.click();
}
