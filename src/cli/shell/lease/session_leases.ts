/** The leases that edits of a host's session have taken, with `auto = true`: a file for each session says what its end releases. */

import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient, orThrow, WharfProblem, type Schemas } from "../../../client/client.ts";
import { lease_limits } from "../../../api/limits.ts";
import { systemClock } from "../../../core/clock.ts";
import { makeDirectory } from "../../../storage/sqlite/durable.ts";
import type { Terminal } from "../../terminal.ts";
import { connect } from "../connection.ts";
import { stateFolder } from "../state_folder.ts";
import type { HeldPath, Place } from "./guard.ts";
import { isLeasable } from "./leasable_path.ts";

/** A line of the file. */
interface SessionLease {
  url: string;
  as: string;
  room: string;
  fence: number;
}

const purpose_of_sessions = "edits of session ";

type Held = Schemas["CheckedLeases"]["held"];

export class SessionLeases {
  readonly #file: string;
  /** The purpose of its leases. By it other sessions of the same name know that a lease is not theirs. */
  readonly #purpose: string;

  /** `session`: the id that the host gives it. */
  constructor(
    private readonly terminal: Terminal,
    session: string,
  ) {
    const id = new Bun.CryptoHasher("sha256").update(session).digest("hex");
    this.#file = join(stateFolder(terminal), `leases-${id.slice(0, 16)}.jsonl`);
    this.#purpose = `${purpose_of_sessions}${id.slice(0, 8)}`;
  }

  /** Whether a lease of the caller's own name is that of another session. */
  isOthers({ purpose }: { purpose?: string }): boolean {
    return purpose !== undefined && purpose.startsWith(purpose_of_sessions) && purpose !== this.#purpose;
  }

  /**
   * Takes the leases of paths that nobody holds, and extends those of this session of which less than half is left. Returns the paths
   * that somebody else has taken meanwhile.
   */
  async take(place: Place, paths: string[], held: Held): Promise<HeldPath[]> {
    const { room, file, connection, signal } = place;
    const { url, name, key, client } = connection;
    if (name === undefined || key === undefined) return [];
    const of_room = { path: { room }, signal };
    const { ttl_seconds } = file;
    for (const fence of this.#ending(held, ttl_seconds)) {
      const body = { fence, ttl_seconds };
      await orThrow(client.post("/api/meet/rooms/{room}/leases/extend", { ...of_room, body }));
    }
    const isFree = (path: string) =>
      isLeasable(path.normalize("NFC")) && !held.some((one) => one.path === path);
    const free = paths.filter(isFree);
    for (let from = 0; from < free.length; from += lease_limits.paths_per_lease_max) {
      const slice = free.slice(from, from + lease_limits.paths_per_lease_max);
      const body = { paths: slice, ttl_seconds, purpose: this.#purpose };
      try {
        const { fence } = await orThrow(client.post("/api/meet/rooms/{room}/leases", { ...of_room, body }));
        this.#add({ url, as: name, room, fence });
      } catch (error) {
        const taken = this.#takenMeanwhile(error);
        if (taken === undefined) throw error;
        if (taken) return [taken];
      }
    }
    return [];
  }

  /** Releases the leases of the session. Those that cannot be released end by themselves. */
  async release(signal: AbortSignal): Promise<void> {
    for (const { url, as, room, fence } of this.#read()) {
      const { key } = connect({ url, as }, this.terminal);
      const client = createClient({ url, ...(key !== undefined && { name: as, key }), retries: 0 });
      await client.post("/api/meet/rooms/{room}/leases/release", { path: { room }, body: { fence }, signal });
    }
    rmSync(this.#file, { force: true });
  }

  /** The fences of this session among those of `held` of which less than half is left. */
  #ending(held: Held, ttl_seconds: number): number[] {
    const own = new Set(this.#read().map(({ fence }) => fence));
    const soon = systemClock.now() + (ttl_seconds * 1000) / 2;
    const ending = held.filter(
      ({ fence, until }) => fence !== undefined && own.has(fence) && Date.parse(until) < soon,
    );
    return [...new Set(ending.map(({ fence }) => fence!))];
  }

  #read(): SessionLease[] {
    if (!existsSync(this.#file)) return [];
    const lines = readFileSync(this.#file, "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as SessionLease);
  }

  /** Adds a line: a host may edit several files at the same time. */
  #add(lease: SessionLease): void {
    makeDirectory(dirname(this.#file));
    appendFileSync(this.#file, `${JSON.stringify(lease)}\n`, { mode: 0o600 });
  }

  /** The path that is held elsewhere, if a refusal says so; null if the caller has taken it by hand, as after an edit at the same time. */
  #takenMeanwhile(error: unknown): HeldPath | null | undefined {
    if (!(error instanceof WharfProblem) || error.problem.code !== "lease_held") return undefined;
    const { path, holder, purpose, until, yours } = error.problem as unknown as HeldPath & { yours?: true };
    const found = { path, holder, until, ...(purpose !== undefined && { purpose }) };
    return yours && !this.isOthers(found) ? null : found;
  }
}
