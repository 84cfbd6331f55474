/** What each client has to do: it signs in with a browser, calls a tool, refreshes, and signs in again once its grant has ended. */

import { expect, test } from "bun:test";
import { orThrow } from "../../../../src/client/client.ts";
import { ownerOf } from "../../../support/admin.ts";
import { clientOf } from "../../../support/client.ts";
import { claim } from "../../../support/names.ts";
import { useBrowser } from "../../browser/support/browser.ts";
import { allow, callback_paths, startCallback, useWorld, type Person, type World } from "./world.ts";

/** How the service knows a client: by itself if all are absent, because it registers. */
export interface Known {
  document_url?: string;
  client_id?: string;
  client_secret?: string;
}

export interface Given extends Known {
  /** The address of the tools. */
  url: string;
  redirect_uri: string;
  /** Opens a page in the browser and allows the client there. Returns the address at `redirect_uri` to which that has led. */
  open(authorize: string): Promise<URL>;
  /** The same for a client that listens at an address of its own. */
  allow(authorize: string): Promise<void>;
}

export interface SigningClient {
  /** Calls the tool `locker_list`, which lists the locker of the caller. Returns the name of its owner. */
  nameOfLocker(): Promise<string>;
  /** Lets an hour pass at a client that looks at its own clock. */
  passHour?(): Promise<void>;
  /** Starts it again, for a client that does not always sign in again while it runs. */
  restart?(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a client that has connected nowhere yet. */
export type StartClient = (given: Given) => Promise<SigningClient>;

interface Way {
  title: string;
  /** The origin of the client in the lists of the service. */
  origin: "registered" | "added" | "document";
  known(world: World, redirect_uri: string): Promise<Known>;
}

const added = async (world: World, redirect_uri: string, with_secret: boolean): Promise<Known> => {
  const body = { name: "A program that was added", redirect_uris: [redirect_uri], with_secret };
  const { client_id, client_secret } = await orThrow(ownerOf(world).post("/api/admin/clients", { body }));
  return { client_id, ...(with_secret && { client_secret: client_secret! }) };
};

export const ways: Way[] = [
  { title: "registers itself", origin: "registered", known: async () => ({}) },
  {
    title: "has a document",
    origin: "document",
    known: async (world) => ({ document_url: world.document_url }),
  },
  { title: "was added with a secret", origin: "added", known: (world, uri) => added(world, uri, true) },
  { title: "was added without a secret", origin: "added", known: (world, uri) => added(world, uri, false) },
];

/** The longest life of an access token. */
const hour_seconds = 3600;
let names = 0;

/** For the top of a test file: starts what its tests need. */
export function useSigningIn(callback_path = callback_paths[0]!) {
  const world = useWorld();
  // Its pages are those of the world: no other service is started.
  const browser = useBrowser({ url: "http://127.0.0.1" });

  /** A person at a browser, and the addresses of the pages that programs have opened there. */
  async function newPerson(person: Person) {
    // The answer of the page leads to the program.
    const page = await browser.openPage({
      at: world.it.url,
      allow: [/^another origin: http:\/\/127\.0\.0\.1:/],
    });
    const pages: string[] = [];
    async function allowing(url: string): Promise<void> {
      pages.push(url);
      await allow(page, url, person);
    }
    return { pages, allow: allowing };
  }

  /** A client that a new holder of a name has allowed, and that has called a tool. */
  async function signedIn(start: StartClient, known: Way["known"]) {
    const { url } = world.it;
    const name = `holder-${++names}`;
    const holder = await claim(url, name);
    const callback = startCallback(callback_path);
    const { pages, allow: allowed } = await newPerson(holder);
    const client = await start({
      ...(await known(world.it, callback.uri)),
      url: `${url}/mcp/account`,
      redirect_uri: callback.uri,
      allow: allowed,
      async open(authorize) {
        const led = callback.next();
        await allowed(authorize);
        return led;
      },
    });
    expect(await client.nameOfLocker()).toBe(name);
    return {
      ...{ client, name, pages, api: clientOf(url, holder) },
      async close() {
        await client.close();
        await callback.stop();
      },
    };
  }

  /** A test for each way in which the service may know the client. */
  function signsIn(start: StartClient, tried = ways): void {
    test.each(tried.map((way) => [way.title, way] as const))(
      "that %s signs in, calls a tool, refreshes, and signs in again once its grant has ended",
      async (_title, { origin, known }) => {
        const { client, name, pages, api, close } = await signedIn(start, known);
        await world.it.advance(hour_seconds);
        await client.passHour?.();
        expect(await client.nameOfLocker()).toBe(name);
        expect(pages).toHaveLength(1);
        const { grants } = await orThrow(api.get("/api/name/grants"));
        expect(grants.map(({ client_host }) => client_host)).toEqual([
          origin === "document" ? new URL(world.it.document_url).host : "this computer",
        ]);
        await orThrow(api.delete("/api/name/grants/{id}", { path: { id: grants[0]!.id } }));
        await client.restart?.();
        expect(await client.nameOfLocker()).toBe(name);
        expect(pages).toHaveLength(2);
        await close();
      },
    );
  }

  /** A test of a client whose registration the operator deletes. */
  function registersAgain(start: StartClient): void {
    test("that registers itself does so again once the operator has deleted its registration", async () => {
      const { client, name, pages, api, close } = await signedIn(start, async () => ({}));
      const { client: client_id } = (await orThrow(api.get("/api/name/grants"))).grants[0]!;
      await orThrow(
        ownerOf(world.it).post("/api/admin/clients/end", { body: { client_id, reason: "A test" } }),
      );
      await client.restart?.();
      expect(await client.nameOfLocker()).toBe(name);
      expect(pages).toHaveLength(2);
      expect((await orThrow(api.get("/api/name/grants"))).grants[0]!.client).not.toBe(client_id);
      await close();
    });
  }

  return { world, newPerson, signsIn, registersAgain };
}
