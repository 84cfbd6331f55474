/** What each client has to do: it signs in with a browser, calls a tool, refreshes, and signs in again once its grant has ended. */

import { expect, test } from "bun:test";
import { orThrow } from "../../../../src/client/client.ts";
import { ownerOf } from "../../../support/admin.ts";
import { clientOf } from "../../../support/client.ts";
import { claim } from "../../../support/names.ts";
import { useBrowser } from "../../browser/support/browser.ts";
import { allow, startCallback, useWorld, type Person, type World } from "./world.ts";

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
  /** Opens a page in the browser. Returns the address to which the browser was led in the end. */
  open(authorize: string): Promise<URL>;
}

export interface SigningClient {
  /** Calls the tool `locker_list`, which lists the locker of the caller. Returns the name of its owner. */
  nameOfLocker(): Promise<string>;
  /** Lets an hour pass at a client that looks at its own clock. */
  passHour?(): Promise<void>;
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

/** For the top of a test file: starts what `signsIn` needs. */
export function useSigningIn() {
  const world = useWorld();
  // Its pages are those of the world: no other service is started.
  const browser = useBrowser({ url: "http://127.0.0.1" });

  /** A person at a browser, and the text of each page on which it has allowed a program. */
  async function newPerson(person: Person, landing: RegExp) {
    const page = await browser.openPage({ at: world.it.url, allow: [landing] });
    const pages: string[] = [];
    return { page, pages, allow: async (url: string) => void pages.push(await allow(page, url, person)) };
  }

  /** A test for each way in which the service may know the client. */
  function signsIn(start: StartClient, tried: Way[] = ways): void {
    test.each(tried.map((way) => [way.title, way] as const))(
      "that %s signs in, calls a tool, refreshes, and signs in again once its grant has ended",
      async (_title, { origin, known }) => {
        const { url } = world.it;
        const name = `holder-${++names}`;
        const holder = await claim(url, name);
        const callback = startCallback();
        const { pages, allow: allowed } = await newPerson(holder, /^another origin: http:\/\/127\.0\.0\.1:/);
        const client = await start({
          ...(await known(world.it, callback.uri)),
          url: `${url}/mcp/account`,
          redirect_uri: callback.uri,
          async open(authorize) {
            const led = callback.next();
            await allowed(authorize);
            return led;
          },
        });
        expect(await client.nameOfLocker()).toBe(name);
        expect(await client.nameOfLocker()).toBe(name);
        await world.it.advance(hour_seconds);
        await client.passHour?.();
        expect(await client.nameOfLocker()).toBe(name);
        expect(pages).toHaveLength(1);
        const api = clientOf(url, holder);
        const { grants } = await orThrow(api.get("/api/name/grants"));
        expect(grants.map(({ client_host }) => client_host)).toEqual([
          origin === "document" ? new URL(world.it.document_url).host : "this computer",
        ]);
        await orThrow(api.delete("/api/name/grants/{id}", { path: { id: grants[0]!.id } }));
        expect(await client.nameOfLocker()).toBe(name);
        expect(pages).toHaveLength(2);
        await client.close();
        await callback.stop();
      },
    );
  }

  return { world, newPerson, signsIn };
}
