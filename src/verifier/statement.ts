/** Verifies the signed root of a day. */

import { openJws, type Keys } from "./jws.ts";

export interface Statement {
  iss: string;
  day: string;
  first_round: number;
  rounds: number;
  root: string;
  prev: string | null;
}

const faults = {
  not_jws: "the statement is not a compact JWS",
  other_header: "the statement is not one about a day of a beacon",
  unknown_key: "the statement is signed by a key that is not among the keys",
  signature: "the statement's signature does not fit its key",
};

/** Whether its first round is the first one of its day, as rounds are counted from 1970-01-01. */
export const beginsWithItsDay = ({ day, first_round, rounds }: Statement): boolean =>
  first_round === (Date.parse(day) / 86_400_000) * rounds;

/** The payload of a statement. Throws an error with the reason if the signature is not valid. */
export async function readStatement(jws: string, keys: Keys): Promise<Statement> {
  const opened = await openJws(jws, "beacon-day+jwt", keys);
  if ("fault" in opened) throw new Error(faults[opened.fault]);
  return opened.payload as unknown as Statement;
}
