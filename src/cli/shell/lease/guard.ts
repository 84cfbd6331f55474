/** The guard: whether the files that somebody is about to change are leased by somebody else. */

import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { createClient, orThrow, WharfProblem, type Schemas } from "../../../client/client.ts";
import { explained } from "../../../core/log.ts";
import { quotedJson, shellWord } from "../../../core/text_form.ts";
import { lease_limits } from "../../../api/limits.ts";
import type { Terminal } from "../../terminal.ts";
import { problemText } from "../../problem_text.ts";
import { reachable } from "../shell_command.ts";
import { connect, type Connection, type ConnectionOptions } from "../connection.ts";
import {
  empty_lease_file,
  isGuarded,
  lease_file_name,
  leaseFileAbove,
  realPath,
  type LeaseFile,
} from "./lease_file.ts";
import { leasePaths } from "./lease_paths.ts";
import { leasablePath } from "./leasable_path.ts";

/** The service must have answered by then, so that no hook takes longer than three seconds. */
export const answer_ms_max = 2_500;

export type HeldPath = Pick<
  Schemas["CheckedLeases"]["held"][number],
  "path" | "holder" | "purpose" | "until"
>;

export type Verdict =
  | { allowed: true; notice?: string }
  /** `held` is empty if the service did not answer. `text` says who holds what, and what to do. */
  | { allowed: false; held: HeldPath[]; text: string };

export interface GuardOptions extends ConnectionOptions {
  room?: string;
  /** The verdict if the service does not answer, or refuses the call. */
  offline: "allow" | "deny";
}

/** Where a guarded path belongs, and the path there. */
interface Guarded {
  root: string;
  file: LeaseFile;
  paths: string[];
}

interface CheckOptions {
  /** The fences that prove leases, by path. */
  fences?: Record<string, number>;
  /** The session of a host that edits the files. */
  session?: Session;
}

interface Session {
  /** Whether a lease of the caller's own name is that of another session. */
  isOthers(lease: { purpose?: string }): boolean;
  /** Takes the leases of paths that are free, if the file wants it. Returns what somebody else has taken meanwhile. */
  take(place: Place, paths: string[], held: Schemas["CheckedLeases"]["held"]): Promise<HeldPath[]>;
}

/** A room and the calls to it. */
export interface Place {
  room: string;
  file: LeaseFile;
  connection: Connection;
  signal: AbortSignal;
}

export class Guard {
  /** `signal`: aborts when the guard must answer. */
  constructor(
    private readonly terminal: Terminal,
    private readonly options: GuardOptions,
    readonly signal: AbortSignal = AbortSignal.timeout(answer_ms_max),
  ) {}

  /** Whether these files may be changed. Their folders are real (`realPath`). */
  checkFiles(paths: string[], options: CheckOptions = {}): Promise<Verdict> {
    return this.#answered(() => this.#checkFiles(paths, options));
  }

  /** The same for paths from the current folder. With a room alone they are sent as they are: `issue/12` is no file. */
  checkGiven(given: string[]): Promise<Verdict> {
    return this.#answered(() => {
      const here = realPath(resolve("."));
      return this.options.room !== undefined && leaseFileAbove(here) === null
        ? this.#check(empty_lease_file, leasePaths(given, undefined), {})
        : this.#checkFiles(given.map((path) => realPath(resolve(path))));
    });
  }

  /** The same for paths from the top of a tree. `readFile`: its file; null if it has none. */
  checkTree(readFile: () => LeaseFile | null, paths: string[], options: CheckOptions = {}): Promise<Verdict> {
    return this.#answered(() => this.#check(readFile() ?? empty_lease_file, paths, options));
  }

  /** The room of a file, with the calls to it. Throws a user-facing error if no key is saved for a service that only the file names. */
  place(file: LeaseFile): Place | null {
    const room = this.options.room ?? file.room;
    if (room === undefined) return null;
    const repository = file.url === undefined ? {} : { repository_url: file.url };
    const connection = connect({ ...this.options, ...repository }, this.terminal);
    const { url, name, key } = connection;
    // A repeated call would not end in time.
    const client = createClient({ url, ...(name && key && { name, key }), retries: 0 });
    return { room, file, connection: { ...connection, client }, signal: this.signal };
  }

  /** The files by their repository, without those that nothing guards. */
  #byRoot(paths: string[]): Guarded[] {
    const by_root = new Map<string, Guarded>();
    for (const path of paths) {
      const found = leaseFileAbove(dirname(path));
      if (!found && this.options.room === undefined) continue;
      const { root, file } = found ?? { root: topOf(dirname(path)), file: empty_lease_file };
      const guarded = by_root.get(root) ?? { root, file, paths: [] };
      by_root.set(root, guarded);
      guarded.paths.push(relative(root, path).split(sep).join("/"));
    }
    return [...by_root.values()];
  }

  async #checkFiles(paths: string[], options: CheckOptions = {}): Promise<Verdict> {
    const all = this.#byRoot(paths);
    return joined(await Promise.all(all.map(({ file, paths }) => this.#check(file, paths, options))));
  }

  async #check(file: LeaseFile, paths: string[], { fences = {}, session }: CheckOptions): Promise<Verdict> {
    const guarded = [...new Set(paths.filter((path) => isGuarded(file, path)))];
    const place = guarded.length > 0 ? this.place(file) : null;
    if (!place) return { allowed: true };
    const { held, stale, notice } = await checkedAsAnybody(place, guarded, fences).catch((error: unknown) => {
      throw reachable(error, place.connection.url);
    });
    const others: HeldPath[] = held.filter((one) => !one.yours || session?.isOthers(one));
    if (stale.length > 0) return { allowed: false, held: others, text: staleText(place, stale, others) };
    if (others.length === 0 && session && file.auto && notice === undefined)
      others.push(...(await session.take(place, guarded, held)));
    if (others.length === 0) return { allowed: true, ...(notice !== undefined && { notice }) };
    const text = heldText(place, others);
    return { allowed: false, held: others, text: notice === undefined ? text : `${text}\n${notice}` };
  }

  /** The verdict of `check`, or that of `offline` if it fails. */
  async #answered(check: () => Promise<Verdict>): Promise<Verdict> {
    try {
      return await check();
    } catch (error) {
      const reason = await reasonOf(error, this.signal);
      if (this.options.offline === "allow")
        return { allowed: true, notice: `leases are not checked, and the change is allowed: ${reason}` };
      return {
        allowed: false,
        held: [],
        text: `leases cannot be checked, so the change is refused: ${reason}`,
      };
    }
  }
}

/** The folder from which paths are named: that of `.wharf-leases.toml`, else the top of the repository of git, else `folder` itself. */
function topOf(folder: string): string {
  for (const name of [lease_file_name, ".git"])
    for (let at = folder; ; at = dirname(at)) {
      if (existsSync(join(at, name))) return at;
      if (dirname(at) === at) break;
    }
  return folder;
}

async function reasonOf(error: unknown, signal: AbortSignal): Promise<string> {
  if (error instanceof WharfProblem) return `${await problemText(error.problem)} (${error.problem.code})`;
  return signal.aborted ? `the service did not answer in ${answer_ms_max / 1000} s.` : explained(error);
}

/**
 * Sends all paths. A key that the service refuses is left out: whether a path is free can be read without one. `notice` says so then.
 */
async function checkedAsAnybody(place: Place, paths: string[], fences: Record<string, number>) {
  try {
    return { ...(await checked(place, paths, fences)), notice: undefined };
  } catch (error) {
    const { connection } = place;
    const has_key = connection.key !== undefined;
    if (!has_key || !(error instanceof WharfProblem) || error.problem.status !== 401) throw error;
    const client = createClient({ url: connection.url, retries: 0 });
    const found = await checked({ ...place, connection: { ...connection, client } }, paths, fences);
    const notice = `${connection.url} refuses the key of ${connection.name}, so no lease counts as yours: ${await reasonOf(error, place.signal)}`;
    return { ...found, notice };
  }
}

/** Sends all paths, in as few calls as the service allows. */
async function checked(
  { room, connection, signal }: Place,
  paths: string[],
  fences: Record<string, number>,
): Promise<Pick<Schemas["CheckedLeases"], "held" | "stale">> {
  // Several files may have the same nearest name that can be leased.
  const requested = new Map<string, string[]>();
  for (const path of paths) {
    const leasable = leasablePath(path);
    if (leasable !== null) requested.set(leasable, [...(requested.get(leasable) ?? []), path]);
  }
  const proven = fencesFor([...requested.keys()], fences);
  const all = [...new Set([...requested.keys(), ...Object.keys(fences)])];
  const calls: Promise<Schemas["CheckedLeases"]>[] = [];
  const at_once = lease_limits.paths_checked_max;
  for (let from = 0; from < all.length; from += at_once) {
    const slice = all.slice(from, from + at_once);
    const of_slice = Object.fromEntries(
      slice.flatMap((path) => (path in proven ? [[path, proven[path]!]] : [])),
    );
    calls.push(
      orThrow(
        connection.client.post("/api/meet/rooms/{room}/leases/check", {
          path: { room },
          body: { paths: slice, ...(Object.keys(of_slice).length > 0 && { fences: of_slice }) },
          signal,
        }),
      ),
    );
  }
  const answers = await Promise.all(calls);
  const held = answers
    .flatMap((answer) => answer.held)
    .flatMap((one) => (requested.get(one.path) ?? []).map((path) => ({ ...one, path })))
    // A lease below the nearest name that can be leased is on another file.
    .filter(
      ({ path, lease_path }) => `${path}/`.startsWith(`${lease_path}/`) || lease_path.startsWith(`${path}/`),
    );
  return { held, stale: answers.flatMap(({ stale }) => stale) };
}

/** The fences of the given paths, and of what lies below them. */
function fencesFor(paths: string[], given: Record<string, number>): Record<string, number> {
  const nearest = Object.entries(given).toSorted(([a], [b]) => b.length - a.length);
  const below = paths.flatMap((path) => {
    const lease = nearest.find(([lease_path]) => `${path}/`.startsWith(`${lease_path}/`));
    return lease ? [[path, lease[1]] as const] : [];
  });
  return { ...given, ...Object.fromEntries(below) };
}

/** The verdict on several sets of paths. */
export const joined = (verdicts: Verdict[]): Verdict =>
  verdicts.find(({ allowed }) => !allowed) ?? verdicts.find((one) => "notice" in one) ?? { allowed: true };

/** How many paths a text names. */
const paths_named_max = 10;

function heldText({ room }: Pick<Place, "room">, held: HeldPath[]): string {
  const named = held.slice(0, paths_named_max);
  const lines = named.map(({ path, holder, purpose, until }) => {
    const what_for = purpose === undefined ? "" : `, for ${quotedJson(purpose)}`;
    return `${path} is leased by ${holder} until ${until}${what_for}.`;
  });
  if (held.length > named.length) lines.push(`So are ${held.length - named.length} more paths.`);
  const wanted = held.slice(0, lease_limits.paths_per_lease_max).map(({ path }) => shellWord(path));
  lines.push(
    `Change nothing there meanwhile. To wait for it and take it: wharf lease take ${wanted.join(" ")} --room ${shellWord(room)} --wait 280`,
    "Then read what has changed before you go on.",
  );
  return lines.join("\n");
}

function staleText(place: Place, stale: string[], others: HeldPath[]): string {
  const named = stale
    .slice(0, paths_named_max)
    .map((path) => `The lease of ${path} has ended, or its fence is another.`);
  return [
    ...named,
    ...(others.length > 0 ? [heldText(place, others)] : ["Take it again, and compare before you push."]),
  ].join("\n");
}
