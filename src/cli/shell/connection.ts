/** Which instance a command calls, and under which name. */

import { createClient, type Client } from "../../client/client.ts";
import { explained } from "../../core/log.ts";
import { systemRandom } from "../../core/random.ts";
import { UsageError } from "../../core/settings.ts";
import { revealDeceptive } from "../../core/text.ts";
import type { Terminal } from "../terminal.ts";
import { nameIn } from "./arguments.ts";
import {
  changeCredentials,
  credentialsFile,
  instanceIn,
  readCredentials,
  type Credentials,
  type SavedInstance,
} from "./credentials.ts";

/** The default address: `wharf serve` without settings listens there. */
export const usual_url = "http://127.0.0.1:4273";

export interface ConnectionOptions {
  url?: string;
  as?: string;
  /**
   * The address that a repository names. It counts after `url` and `WHARF_URL`. Anybody can write it into a repository, so it gets no key
   * but those that are saved for it.
   */
  repository_url?: string;
}

export interface Connection {
  url: string;
  client: Client;
  /** The same for waits: it calls a service that does not answer, as during a restart, until its caller ends the call. */
  patient: Client;
  /** The same as the first without a key. */
  anybody: Client;
  /** The name that is given or saved; undefined if there is none. */
  name: string | undefined;
  /** Its key; undefined if there is none. */
  key: string | undefined;
  /** The name that speaks. One is made up, and saved, if there is none. */
  speaker(): string;
  saved: Readonly<SavedInstance>;
  /** Changes the saved values of the instance, and the other saved values. */
  save(change: (instance: SavedInstance, credentials: Credentials) => void): void;
}

/** The address without a slash at its end. Throws a `UsageError` if it is none. */
function addressIn(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new UsageError(`${url} is no address of a service, such as ${usual_url}.`);
  }
  return parsed.href.replace(/\/+$/, "");
}

/**
 * Connects to the instance of `--url`, else `WHARF_URL`, else that of the repository, else the saved one. The name is `--as`, else `WHARF_NAME`, else
 * the saved one, else one of the form `shell-abcd`. Its key is `WHARF_KEY` if the name is `WHARF_NAME`, else the saved one.
 */
export function connect(options: ConnectionOptions, terminal: Terminal): Connection {
  const { WHARF_URL, WHARF_NAME, WHARF_KEY } = terminal.environment;
  const file = credentialsFile(terminal);
  const credentials = readCredentials(file);
  const chosen = addressIn(options.url ?? (WHARF_URL || (credentials.url ?? usual_url)));
  const named = (options.url ?? WHARF_URL) ? undefined : options.repository_url;
  const url = named === undefined ? chosen : addressIn(named);
  const saved = instanceIn(credentials, url);
  /** Whether the user has chosen the address, and not only a repository. */
  const is_chosen = url === chosen;
  if (!is_chosen && !Object.values(saved.names).some(({ key }) => key !== undefined)) {
    throw new UsageError(
      `the repository names ${url}, for which no key is saved. If you trust it: 'wharf login --url ${url} --key -'.`,
    );
  }
  const save: Connection["save"] = (change) =>
    changeCredentials(file, (changed) => change(instanceIn(changed, url), changed));

  if (WHARF_KEY && !WHARF_NAME) throw new UsageError("WHARF_KEY needs WHARF_NAME: the name whose key it is.");
  const own = WHARF_NAME && nameIn(WHARF_NAME);
  const name = options.as === undefined ? own || saved.name : nameIn(options.as);
  const key = WHARF_KEY && is_chosen && name === own ? WHARF_KEY : name && saved.names[name]?.key;
  let speaker = name;
  const known = { url, ...(name && key && { name, key }) };
  return {
    url,
    client: createClient(known),
    patient: createClient({ ...known, retries: Number.MAX_SAFE_INTEGER }),
    anybody: createClient({ url }),
    name,
    key,
    speaker() {
      return (speaker ??= nameOf(save, terminal));
    },
    saved,
    save,
  };
}

/** The name that another command has saved in the meantime, or a new one. One that cannot be saved is for this command alone. */
function nameOf(save: Connection["save"], { writeError }: Terminal): string {
  let name = madeUpName("shell");
  try {
    save((instance) => (name = instance.name ??= name));
  } catch (error) {
    writeError(`wharf: The name ${name} is not saved. ${revealDeceptive(explained(error))}\n`);
  }
  return name;
}

/** A name of this beginning with four random letters, for somebody who has none. */
export function madeUpName(beginning: string): string {
  const letters = Array.from(systemRandom.bytes(4), (byte) => String.fromCharCode(97 + (byte % 26)));
  return `${beginning}-${letters.join("")}`;
}
