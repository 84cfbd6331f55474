/** What admins do with leases: end those on paths of a room. */

import { readableSlug } from "../members/roles.ts";
import type { AdminAction, Audit } from "../../core/admin.ts";
import type { Moment } from "../../core/clock.ts";
import type { Tx } from "../../core/storage.ts";
import type { PutNote } from "../../mailbox/commands.ts";
import { roomOrFailure } from "../lookup.ts";
import { breakIn, type Broken } from "./commands.ts";

interface BreakInput extends AdminAction, Moment {
  room: string;
  /** As `leastPaths` returns them. */
  paths: string[];
}

/** Ends the leases on these paths. Each holder finds a note. One that ends nothing writes no line of the audit log. */
export async function breakAsAdmin(
  tx: Tx,
  { audit, putNote }: { audit: Audit; putNote: PutNote },
  input: BreakInput,
): Promise<{ broken: Broken[] }> {
  const room = await roomOrFailure(tx, readableSlug(input.room));
  const broken = await breakIn(tx, putNote, room, input, "operator");
  if (broken.length === 0) return { broken };
  tx.erases();
  await audit(tx, input, "leases.break", room.slug);
  return { broken };
}
