/** The beacon's days: published at least a week before they begin, each signed and chained to the one before. */

import { isoTime, type Clock } from "../core/clock.ts";
import type { FeatureStorage } from "../core/commands.ts";
import type { BeaconCommands } from "./feature.ts";
import { limits } from "../core/limits.ts";
import type { Random } from "../core/random.ts";
import { sha256Hex } from "../core/secrets.ts";
import { commitOf, seedOf } from "./derivation.ts";
import { rootOf, treeOf, type Tree } from "./merkle.ts";
import { day_ms, dayAt, type Calendar } from "./rounds.ts";
import * as store from "./store.ts";

/** A published day with all that follows from its secret. */
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
  /** Signs a statement of this service as a compact JWS with this `typ`. */
  sign(typ: string, payload: object): string;
  /** Who signs: the public address of the service. Asked when it signs, for the system may choose the port. */
  issuer(): string;
}

export interface Days {
  /** The first and the last published day; null before the first. */
  span(): { first: string; last: string } | null;
  /** A published day, or null. */
  find(day: string): Promise<Day | null>;
  /** Publishes what is due at `now_ms` and was not published before. */
  publishDue(now_ms: number): Promise<void>;
  /** When a day's root is due at the latest, in unix milliseconds. */
  dueAt(day_starts_ms: number): number;
}

const ahead_ms = limits.beacon_days_ahead * day_ms;

/** Hashes between two turns of the event loop. */
const hashes_per_turn = 2_000;

export async function createDays(deps: DaysDeps): Promise<Days> {
  const { storage, clock, random, calendar, sign, issuer } = deps;
  const { first, last } = await storage.read(async (tx) => ({
    first: await store.firstDay(tx),
    last: await store.latestDay(tx),
  }));
  if (last && last.rounds !== calendar.rounds_per_day) {
    throw new Error(
      `round-seconds must be ${day_ms / 1000 / last.rounds}: days with rounds of that length have been published from ` +
        "this data directory, and what was published holds.",
    );
  }

  let span = first && last ? { first: first.day, last: last.day } : null;
  const opened = new Map<string, Promise<Day | null>>();
  let publishing: Promise<void> | undefined;

  /** All commitments of a day. Gives others a turn now and then: with rounds of a second there are 86400. */
  async function commitsOf(secret: Uint8Array, first_round: number): Promise<string[]> {
    const commits: string[] = [];
    for (let i = 0; i < calendar.rounds_per_day; i++) {
      if (i > 0 && i % hashes_per_turn === 0) await clock.turn();
      commits.push(commitOf(seedOf(secret, first_round + i)));
    }
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

  /** The secret for the next day: the latest one, or a new one when that has served its time. */
  async function nextSecret(now_ms: number): Promise<{ secret: store.SecretRow; is_new: boolean }> {
    const latest = await storage.read(store.latestSecret);
    if (latest && now_ms - Date.parse(latest.created) < limits.beacon_secret_days * day_ms) {
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
    // Another node may have come first: what is published is what was stored.
    const stored = await storage.read(store.latestDay);
    if (stored) span = { first: span?.first ?? day, last: stored.day };
  }

  async function publishAll(now_ms: number): Promise<void> {
    // The round before this one is always told, so its day comes first. Days that nobody was promised are left out.
    for (let at = now_ms - calendar.round_seconds * 1000; ; at += day_ms) {
      const day = dayAt(Math.min(at, now_ms + ahead_ms));
      if (!span || day > span.last) await publish(day, now_ms);
      if (at >= now_ms + ahead_ms) return;
    }
  }

  return {
    span: () => span,
    find(day) {
      if (!span || day < span.first || day > span.last) return Promise.resolve(null);
      const known = opened.get(day) ?? open(day);
      opened.delete(day);
      opened.set(day, known);
      known.catch(() => opened.delete(day));
      for (const oldest of opened.keys()) {
        if (opened.size <= limits.beacon_days_open_max) break;
        opened.delete(oldest);
      }
      return known;
    },
    async publishDue(now_ms) {
      if (span && span.last >= dayAt(now_ms + ahead_ms)) return;
      publishing ??= publishAll(now_ms).finally(() => (publishing = undefined));
      await publishing;
    },
    dueAt: (day_starts_ms) => day_starts_ms - ahead_ms,
  };
}
