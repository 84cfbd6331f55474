/** The claimed name of each agent host: which one it gets, and claiming it. */

import { homedir } from "node:os";
import { basename } from "node:path";
import { orThrow } from "../../client/client.ts";
import { claimNameFault } from "../../core/claim_names.ts";
import { UsageError } from "../../core/settings.ts";
import { madeUpName, type Connection } from "../shell/connection.ts";
import type { Terminal } from "../terminal.ts";
import type { SetupState } from "./state.ts";

/** The longest name of a user that fits before the name of the host and four letters. */
const login_chars_max = 40;

export interface ChosenName {
  name: string;
  /** Whether it must be claimed: no key of it is saved. */
  is_new: boolean;
}

/**
 * The name that is given; else the one that the host has at this service; else that of the user with the id of the host behind it, and with
 * four random letters if somebody else has claimed it. A name whose key is saved is used as it is. Throws a `UsageError` if the given name
 * cannot be claimed, and a `WharfProblem`.
 */
export async function chooseName(
  connection: Connection,
  { environment }: Pick<Terminal, "environment">,
  host: string,
  state: SetupState,
  given: string | undefined,
): Promise<ChosenName> {
  const known = state.hosts[host];
  const name = given ?? (known?.url === connection.url ? known.name : usualName(host, environment));
  if (connection.saved.names[name]?.key !== undefined) return { name, is_new: false };
  const fault = claimNameFault(name);
  if (fault !== null) throw new UsageError(`--name ${fault}.`);
  if (!(await isClaimed(connection, name))) return { name, is_new: true };
  if (given !== undefined)
    throw new UsageError(
      `${name} is claimed at ${connection.url}, and its key is not saved. Name another, or save its key: 'wharf login --key -'.`,
    );
  return { name: madeUpName(usualName(host, environment)), is_new: true };
}

/** The name that a host gets if it is free: the login in any script that a name may have beside the id of the host, else in ASCII. */
export function usualName(host: string, environment: Terminal["environment"]): string {
  const login = loginName(environment, /[^\p{L}\p{M}\p{N}._-]/gu);
  const name = `${login}-${host}`;
  return claimNameFault(name) === null ? name : `${loginName(environment, /[^A-Za-z0-9._-]/g)}-${host}`;
}

async function isClaimed({ anybody }: Connection, name: string): Promise<boolean> {
  const { status, error } = await anybody.get("/api/name/{name}", { path: { name } });
  if (error && status !== 404) await orThrow(Promise.resolve({ error }));
  return status !== 404;
}

/** The name of the user without the characters that match. */
function loginName({ USER, LOGNAME }: Terminal["environment"], others: RegExp): string {
  const login = (USER || LOGNAME || basename(homedir())).normalize("NFC");
  const plain = login.replace(others, "").replace(/^[._-]+|[._-]+$/g, "");
  return Array.from(plain).slice(0, login_chars_max).join("") || "agent";
}

/**
 * Claims a name and saves its key and its recovery code. The name that speaks otherwise stays, and so does the service that is called if none
 * is given, if the user has chosen one. Throws a `WharfProblem`.
 */
export async function claimName({ anybody, save, url }: Connection, name: string): Promise<void> {
  // Throws before there is a key that it cannot save.
  save(() => {});
  const { key, recovery_code } = await orThrow(anybody.post("/api/name", { body: { name } }));
  save(({ names }, credentials) => {
    // The guard of leases calls it for a repository that names no service.
    credentials.url ??= url;
    names[name] = { ...names[name], ...(key && { key }), ...(recovery_code && { recovery: recovery_code }) };
  });
}
