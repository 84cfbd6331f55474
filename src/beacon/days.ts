/** The days of the beacon: each is published a week before it begins, signed, and chained to the day before. */

import { isoTime, type Clock } from "../core/clock.ts";
import type { FeatureStorage } from "../core/commands.ts";
import type { BeaconCommands } from "./feature.ts";
import type { Random } from "../core/random.ts";
import { sha256Hex } from "../core/secrets.ts";
import { commitOf, seedOf } from "./derivation.ts";
import { rootOf, treeOf, type Tree } from "./merkle.ts";
import { day_ms, dayAt, type Calendar } from "./rounds.ts";
import * as store from "./store.ts";
import { beacon_internal_limits } from "./limits.ts";

/** A published day with its secret, its commitments and their Merkle tree. */
export interface Day extends store.DayRow {
  secret: Uint8Array;
  commits: string[];
  tree: Tree;
}

export interface DaysDeps {
  storage: FeatureStorage<BeaconCommands>;
  clock: Clock;
  random: Random;
  calendar: Calendar;
  /** Signs `payload` as a compact JWS with the header `typ`. */
  sign(typ: string, payload: object): string;
  /** The issuer of statements: the public address of the service. A function, because the system may choose the port. */
  issuer(): string;
}

interface Days {
  /** The first and the last published day; null before the first. */
  span(): { first: string; last: string } | null;
  /** The days that are not issued, because the original of this copy may have published them. */
  gaps: readonly store.GapRow[];
  /** Reads which days are published, as another node may have published some. */
  refresh(): Promise<void>;
  /** A published day, or null. */
  find(day: string): Promise<Day | null>;
  /** Publishes the days that are due at `now_ms` and not published yet. */
  publishDue(now_ms: number): Promise<void>;
  /** The time at which a day's root must be published, in unix milliseconds. */
  dueAt(day_starts_ms: number): number;
}

const ahead_ms = beacon_internal_limits.beacon_days_ahead * day_ms;

/** Hashes between two turns of the event loop: a millisecond at the start, when a new beacon publishes nine days. */
const hashes_per_turn = 100;

export async function createDays(deps: DaysDeps): Promise<Days> {
  const { storage, clock, random, calendar, sign, issuer } = deps;
  const { first, last, gaps } = await storage.read(async (tx) => ({
    gaps: await store.allGaps(tx),
    first: await store.firstDay(tx),
    last: await store.latestDay(tx),
  }));
  if (last && last.rounds !== calendar.rounds_per_day) {
    throw new Error(
      `round-seconds must be ${day_ms / 1000 / last.rounds}: days with rounds of that length have been published from ` +
        "this data directory, and what was published holds.",
    );
  }

  /** The last day of all gaps. */
  const left_through = gaps.at(-1)?.last ?? "";
  const spanOf = (first?: store.DayRow, last?: store.DayRow) =>
    first && last ? { first: first.day, last: last.day } : null;
  let span = spanOf(first, last);
  const opened = new Map<string, Promise<Day | null>>();
  let publishing: Promise<void> | undefined;

  /** All commitments of a day. Yields to the event loop: with rounds of one second there are 86400. */
  async function commitsOf(secret: Uint8Array, first_round: number): Promise<string[]> {
    const commits: string[] = [];
    for (let i = 0; i < calendar.rounds_per_day; i++) {
      if (i > 0 && i % hashes_per_turn === 0) await clock.turn();
      commits.push(commitOf(seedOf(secret, first_round + i)));
    }
    await clock.turn();
    return commits;
  }

  const treeOver = (commits: string[]): Tree => treeOf(commits.map((commit) => Uint8Array.fromHex(commit)));

  async function open(day: string): Promise<Day | null> {
    const row = await storage.read((tx) => store.findDay(tx, day));
    if (!row) return null;
    const secret = Uint8Array.fromHex(row.secret);
    const commits = await commitsOf(secret, row.first_round);
    return { ...row, secret, commits, tree: treeOver(commits) };
  }

  /** The secret for the next day: the latest one, or a new one if that is older than `beacon_secret_days`. */
  async function nextSecret(now_ms: number): Promise<{ secret: store.SecretRow; is_new: boolean }> {
    const latest = await storage.read(store.latestSecret);
    if (latest && now_ms - Date.parse(latest.created) < beacon_internal_limits.beacon_secret_days * day_ms) {
      return { secret: latest, is_new: false };
    }
    const created = isoTime(now_ms);
    return {
      secret: { id: random.uuid(now_ms), secret: random.bytes(32).toHex(), created },
      is_new: true,
    };
  }

  async function publish(day: string, now_ms: number): Promise<void> {
    const latest = await storage.read(store.latestDay);
    if (!latest || latest.day < day) {
      const { secret, is_new } = await nextSecret(now_ms);
      const first_round = calendar.firstRoundOf(day);
      const rounds = calendar.rounds_per_day;
      const root = rootOf(treeOver(await commitsOf(Uint8Array.fromHex(secret.secret), first_round)));
      const prev = latest ? sha256Hex(latest.statement) : null;
      const statement = sign("beacon-day+jwt", { iss: issuer(), day, first_round, rounds, root, prev });
      const published = isoTime(now_ms);
      const row = { day, first_round, rounds, secret_id: secret.id, root, prev, statement, published };
      await storage.write("beacon.publish", { day: row, new_secret: is_new ? secret : null });
    }
    // Another node may have published first: use the stored day.
    const stored = await storage.read(store.latestDay);
    if (stored) span = { first: span?.first ?? day, last: stored.day };
  }

  async function publishAll(now_ms: number): Promise<void> {
    // Start with the day of the last round, whose seed is published. Days missed while the service was down are skipped.
    for (let at = now_ms - calendar.round_seconds * 1000; ; at += day_ms) {
      const day = dayAt(Math.min(at, now_ms + ahead_ms));
      if (day > left_through && (!span || day > span.last)) await publish(day, now_ms);
      if (at >= now_ms + ahead_ms) return;
    }
  }

  return {
    span: () => span,
    gaps,
    async refresh() {
      span = await storage.read(async (tx) => spanOf(await store.firstDay(tx), await store.latestDay(tx)));
    },
    find(day) {
      if (!span || day < span.first || day > span.last) return Promise.resolve(null);
      const known = opened.get(day) ?? open(day);
      opened.delete(day);
      opened.set(day, known);
      known.catch(() => opened.delete(day));
      for (const oldest of opened.keys()) {
        if (opened.size <= beacon_internal_limits.beacon_days_open_max) break;
        opened.delete(oldest);
      }
      return known;
    },
    async publishDue(now_ms) {
      const due = dayAt(now_ms + ahead_ms);
      if (due <= left_through || (span && span.last >= due)) return;
      publishing ??= publishAll(now_ms).finally(() => (publishing = undefined));
      await publishing;
    },
    dueAt: (day_starts_ms) => day_starts_ms - ahead_ms,
  };
}
