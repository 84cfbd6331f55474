/** Claimed names for tests, and the ways in which their holders send the key. */

import { orThrow, pairOf } from "../../src/client/client.ts";
import { clientOf } from "./client.ts";

export interface Holder {
  name: string;
  key: string;
  recovery_code: string;
  /** The headers of the pair. */
  pair: { "x-wf-name": string; "x-wf-key": string };
  /** The header of the key alone. */
  bearer: { authorization: string };
}

/** Claims `name` at the service. */
export async function claim(url: string, name: string): Promise<Holder> {
  const { key, recovery_code } = await orThrow(clientOf(url).post("/api/name", { body: { name } }));
  return holder(name, key!, recovery_code!);
}

/** A key or token with another last character, which belongs to nobody. */
export const mistyped = (key: string): string => key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");

/** The holder of `name` who sends `key`. */
export const holder = (name: string, key: string, recovery_code = ""): Holder => ({
  name,
  key,
  recovery_code,
  pair: pairOf(name, key),
  bearer: { authorization: `Bearer ${key}` },
});
