/** The operations of admins on names. */

import { refusedTopic } from "../core/caller.ts";
import type { Admin } from "../core/admin.ts";
import { isoTime, parseTime } from "../core/clock.ts";
import type { OperationDeps } from "../core/commands.ts";
import { invalidFields, type ServiceError } from "../core/errors.ts";
import { callAgain, type OpenCalls } from "../core/open_calls.ts";
import { unknownCredential } from "./authentication.ts";
import { canonicalName } from "./canonical.ts";
import { lookKey } from "./imitation.ts";
import type { NameActionInput, NameStanding } from "./admin_commands.ts";
import type { NameCommands } from "./feature.ts";
import { isSuspended, nameSuspended } from "./standing.ts";
import { readStanding, readStandings } from "./store.ts";

interface NameAdministrationDeps extends OperationDeps<NameCommands> {
  open_calls: OpenCalls;
}

interface NameAction {
  name: string;
  reason: string;
}

type SimpleAction = "names.unsuspend" | "names.reserve" | "names.unreserve" | "names.release";

const refused_topics = refusedTopic("");

export type NameAdministration = ReturnType<typeof createNameAdministration>;

export function createNameAdministration({ storage, clock, open_calls }: NameAdministrationDeps) {
  // Ends the waits and streams of a name whose key opens nothing any more, on whichever node it was suspended or released.
  storage.onChange("invalidate", (topic) => {
    if (topic === null) return open_calls.refuse(({ name }) => (name === null ? null : callAgain()));
    if (!topic?.startsWith(refused_topics)) return undefined;
    const canonical = topic.slice(refused_topics.length);
    const refusal = refusalOf(canonical);
    return open_calls.refuseLater(
      refusal.then(
        (error) =>
          ({ name }) =>
            name === canonical ? error : null,
      ),
    );
  });

  async function refusalOf(canonical: string): Promise<ServiceError> {
    const row = await storage.read((tx) => readStanding(tx, canonical));
    return isSuspended(row, isoTime(clock.now())) ? nameSuspended(row.suspended_until) : unknownCredential();
  }

  const inputOf = ({ actor, scopes }: Admin, { name, reason }: NameAction): NameActionInput => ({
    ...clock.moment(),
    actor,
    scopes,
    name,
    canonical: canonicalName(name),
    look: lookKey(name),
    reason,
  });

  const run =
    (command: SimpleAction) =>
    async (admin: Admin, action: NameAction): Promise<NameStanding> =>
      (await storage.write(command, inputOf(admin, action))).result;

  return {
    /** Returns the suspended ones of these claimed names. */
    async suspendedAmong(names: readonly string[]): Promise<ReadonlySet<string>> {
      if (names.length === 0) return new Set();
      const rows = await storage.read((tx) => readStandings(tx, [...new Set(names.map(canonicalName))]));
      const now = isoTime(clock.now());
      const suspended = new Set(rows.filter((row) => isSuspended(row, now)).map(({ wanted }) => wanted));
      return new Set(names.filter((name) => suspended.has(canonicalName(name))));
    },

    /** Suspends a name: its key opens nothing, and nobody may speak under it. Throws `invalid_fields`. */
    async suspend(
      admin: Admin,
      { until: end, ...action }: NameAction & { until?: string | null | undefined },
    ): Promise<NameStanding> {
      const until = end ? parseTime(end) : null;
      const input = { ...inputOf(admin, action), until };
      if (until !== null && Date.parse(until) <= input.now_ms) {
        throw invalidFields([{ path: "/until", message: "must be in the future" }]);
      }
      return (await storage.write("names.suspend", input)).result;
    },
    unsuspend: run("names.unsuspend"),
    reserve: run("names.reserve"),
    unreserve: run("names.unreserve"),
    /** Frees a claimed name for others. Throws `name_not_claimed`, and `scope_missing` for a locker with a private slot. */
    release: run("names.release"),
  };
}
