/** Random steps on the leases of some rooms, with clocks that jump, and the answers that a plain model expects. */

import type { Identity } from "../../src/core/caller.ts";
import type { Moment } from "../../src/core/clock.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import type { Tx } from "../../src/core/storage.ts";
import { lookKey } from "../../src/names/imitation.ts";
import { checkSlice, listLeases } from "../../src/rooms/leases/queries.ts";
import { conflict, LeaseModel, place_ms, Refused, type ModelLease, type ModelRoom } from "./lease_model.ts";
import type { TestRandom } from "./seed.ts";

const rooms_at_once = 3;

/** Some that cover others, and some that only begin with the same characters or stand beside the range below a path. */
const universe = [
  ...["src", "src/a", "src/a/b", "src/a/b/c", "src/a/c", "src/b", "src/b/a", "src/c", "src.ts", "src0"],
  ...["src-a", "src/a.ts", "src/a0", "docs", "docs/x", "docs/x/y", "docs/\u{fb00}", "docs/\u{1f600}", "d"],
  ...["issue/12", "issue/1", "port/3000"],
];

export interface LeaseStep {
  name: string;
  input: object;
  /** Applies the step to the model and returns the expected answer. */
  expected(): unknown;
  /** What the service has returned or thrown, in the form of the expected answer. */
  seen(outcome: unknown): unknown;
}

/** Reads of leases as commands, to run them between other commands. */
export const lease_reads = {
  "test.lease_list": (tx: Tx, query: Parameters<typeof listLeases>[1]) => listLeases(tx, query),
  "test.lease_check": (
    tx: Tx,
    { fences, ...query }: Omit<Parameters<typeof checkSlice>[1], "fences"> & { fences: [string, number][] },
  ) => checkSlice(tx, { ...query, fences: new Map(fences) }),
};

const identities = new Map<string, Identity>();
function identityOf(who: string): Identity {
  const found = identities.get(who) ?? { name: who, canonical: who, key_sha256: sha256Hex(`key of ${who}`) };
  identities.set(who, found);
  return found;
}
const host_key_sha256 = sha256Hex("host");
const iso = (ms: number): string => new Date(ms).toISOString();
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Draws steps for the state of the model, which changes when a step is applied. */
export class LeaseSimulation {
  readonly model = new LeaseModel();
  /** Steady time. */
  now = Date.parse("2026-03-01T12:00:00.000Z");
  ahead_ms = 0;
  #rooms = 0;

  readonly #people: string[];

  /** `world`: distinguishes its names and rooms from those of another simulation on the same database. */
  constructor(
    readonly random: TestRandom,
    private readonly world = "w",
  ) {
    this.#people = Array.from("abcdefgh", (letter) => `${world}person${letter}`);
  }

  /** The names and the first rooms. */
  *beginning(): Generator<LeaseStep> {
    for (const who of this.#people) {
      const { key_sha256 } = identityOf(who);
      const input = {
        name: who,
        look: lookKey(who),
        key_sha256,
        recovery_sha256: sha256Hex(who),
        claims: "open",
        now_ms: this.now,
      };
      yield this.#step(
        "names.claim",
        input,
        () => who,
        (outcome) => (outcome as { canonical: string }).canonical,
      );
    }
    for (let n = 0; n < rooms_at_once; n++) yield this.#openRoom();
  }

  /** Mostly a little later; sometimes to an end or one millisecond beside it, far ahead; or the wall clock is set. */
  #moveClock(): void {
    const { below, oneOf } = this.random;
    const roll = below(100);
    if (roll < 80) this.now += below(8_000);
    else if (roll < 96) {
      const { leases, places } = this.#room();
      const ends = [...leases, ...places].map(({ ends_ms }) => ends_ms).filter((end) => end > this.now);
      if (ends.length > 0) this.now = oneOf(ends) + below(3) - 1;
    } else if (roll < 97) this.now += below(2 * 3_600_000);
    // The service adopts another wall clock: the shown times move with it, and no lease ends.
    else this.ahead_ms = (below(2_000) - 1_000) * 86_400_000;
  }

  /** Sometimes that of a node whose clock is behind, or of a call that waited for its turn. */
  #moment(): { now: number; moment: Moment } {
    const { below } = this.random;
    const now = this.now - (below(3) === 0 ? below(3_000) : 0);
    return { now, moment: { now_ms: now + this.ahead_ms, ahead_ms: this.ahead_ms } };
  }

  /** Mostly an open room. */
  #room(): ModelRoom {
    return this.model.rooms[this.model.rooms.length - 1 - this.random.below(rooms_at_once)]!;
  }

  #paths(): string[] {
    const { below, oneOf } = this.random;
    const drawn = Array.from({ length: below(3) > 0 ? 1 : 1 + below(4) }, () => oneOf(universe));
    const covered = (path: string) => drawn.some((one) => one !== path && `${path}/`.startsWith(`${one}/`));
    return [...new Set(drawn)].filter((path) => !covered(path)).sort(byBytes);
  }

  /** Moves the clock, sometimes, and draws a step. */
  step(): LeaseStep {
    const { below } = this.random;
    if (below(4) === 0) this.#moveClock();
    const roll = below(1_000);
    if (roll < 300) return this.#take();
    if (roll < 450) return this.#getInLine();
    if (roll < 550) return this.#comeBack();
    if (roll < 600) return this.#leaveLine();
    if (roll < 700) return this.#extend();
    if (roll < 820) return this.#release();
    if (roll < 850) return this.#break();
    if (roll < 890) return this.#settle();
    if (roll < 940) return this.#check();
    if (roll < 980) return this.#list();
    if (roll < 988) return this.#suspend();
    if (roll < 998) return this.#room().is_closed ? this.#openRoom() : this.#take();
    return this.#closeRoom();
  }

  #step(
    name: string,
    input: object,
    expected: () => unknown,
    seen: (outcome: unknown) => unknown = (outcome) => outcome,
  ): LeaseStep {
    const refusal = ({ code, held }: Refused) => ({
      code,
      ...(held && {
        until: iso(held.ends_ms + this.ahead_ms),
        yours: held.is_own,
        in_line: held.in_line,
      }),
    });
    return {
      name,
      input,
      expected: () => {
        const answer = expected();
        return answer instanceof Refused ? refusal(answer) : answer;
      },
      seen: (outcome) => {
        if (!(outcome instanceof ServiceError)) return outcome instanceof Error ? outcome : seen(outcome);
        const { code, extra } = outcome;
        if (code !== "lease_held") return { code };
        const { until, yours = false, in_line = false } = extra.members!;
        return { code, until, yours, in_line };
      },
    };
  }

  #openRoom(): LeaseStep {
    const slug = `${this.world}-room-${++this.#rooms}`;
    const { moment } = this.#moment();
    const input = {
      ...moment,
      goal: "g",
      name: "host",
      visibility: "unlisted",
      identity: null,
      slugs: [slug],
    };
    const expected = () => this.model.open(slug).slug;
    const seen = (outcome: unknown) => (outcome as { room: { slug: string } }).room.slug;
    return this.#step("rooms.open", { ...input, host_key_sha256 }, expected, seen);
  }

  #closeRoom(): LeaseStep {
    const room = this.#room();
    const expected = () => (room.is_closed = true);
    const { now_ms } = this.#moment().moment;
    const seen = (outcome: unknown) => (outcome as { closed: boolean }).closed;
    return this.#step("rooms.close", { room: room.slug, by: { host_key_sha256 }, now_ms }, expected, seen);
  }

  #takeWith(room: ModelRoom, who: string, paths: string[]): LeaseStep {
    const { below } = this.random;
    const { now, moment } = this.#moment();
    const ttl_seconds = below(4) === 0 ? 30 + below(600) : 30 + below(60);
    const input = {
      ...moment,
      room: room.slug,
      identity: identityOf(who),
      paths,
      ttl_seconds,
      purpose: null,
    };
    return this.#step("leases.take", input, () =>
      this.#lease(this.model.take(room, who, paths, now + ttl_seconds * 1_000, now)),
    );
  }

  #take = (): LeaseStep => this.#takeWith(this.#room(), this.random.oneOf(this.#people), this.#paths());

  /** Somebody in line tries to take the paths, or waits again. */
  #comeBack(): LeaseStep {
    const room = this.#room();
    if (room.places.length === 0) return this.#take();
    // Mostly the first in line: few others get something.
    const { below, oneOf } = this.random;
    const { name, paths } = below(2) === 0 ? room.places[0]! : oneOf(room.places);
    return below(3) > 0 ? this.#takeWith(room, name, paths) : this.#getInLineWith(room, name, paths);
  }

  #getInLineWith(room: ModelRoom, who: string, paths: string[]): LeaseStep {
    const { now, moment } = this.#moment();
    const ends_ms = now + this.random.below(280) * 1_000 + place_ms;
    const input = { ...moment, room: room.slug, identity: identityOf(who), paths, place_until: iso(ends_ms) };
    return this.#step("leases.get_in_line", input, () =>
      this.model.getInLine(room, who, paths, ends_ms, now),
    );
  }

  #getInLine = (): LeaseStep =>
    this.#getInLineWith(this.#room(), this.random.oneOf(this.#people), this.#paths());

  #leaveLine(): LeaseStep {
    const room = this.#room();
    const { now, moment } = this.#moment();
    if (room.places.length === 0) return this.#take();
    const { name, paths } = this.random.oneOf(room.places);
    const ends_ms = now + place_ms;
    const expected = () => this.model.leaveLine(room, name, paths, ends_ms, now);
    const input = { ...moment, room: room.slug, name, paths, place_until: iso(ends_ms) };
    return this.#step("leases.leave_line", input, expected, () => undefined);
  }

  /** A lease that may have ended, its holder or another name, and its number or another one. */
  #leaseOf(room: ModelRoom): { who: string; fence: number; paths: string[] } {
    const { below, oneOf } = this.random;
    const lease = room.leases.length > 0 ? oneOf(room.leases) : undefined;
    const who = lease && below(8) > 0 ? lease.holder : oneOf(this.#people);
    const fence = lease && below(8) > 0 ? lease.fence : 1 + below(room.fence + 2);
    return { who, fence, paths: lease?.paths ?? ["src"] };
  }

  #extend(): LeaseStep {
    const room = this.#room();
    const { who, fence } = this.#leaseOf(room);
    const { now, moment } = this.#moment();
    const ttl_seconds = 30 + this.random.below(200);
    const input = { ...moment, room: room.slug, identity: identityOf(who), fence, ttl_seconds };
    return this.#step("leases.extend", input, () =>
      this.#lease(this.model.extend(room, who, fence, now + ttl_seconds * 1_000, now)),
    );
  }

  #release(): LeaseStep {
    const { below, oneOf } = this.random;
    const room = this.#room();
    const { who, fence, paths: held } = this.#leaseOf(room);
    const paths = below(3) > 0 ? null : below(8) > 0 ? [oneOf(held)] : this.#paths();
    const { now, moment } = this.#moment();
    const input = { ...moment, room: room.slug, identity: identityOf(who), fence, paths };
    return this.#step("leases.release", input, () => this.model.release(room, who, fence, paths, now));
  }

  #break(): LeaseStep {
    const room = this.#room();
    const paths = this.#paths();
    const { now, moment } = this.#moment();
    const input = { ...moment, room: room.slug, by: { host_key_sha256 }, paths };
    const expected = () =>
      inOrder(
        this.model.break(room, paths, now).map((lease) => ({ holder: lease.holder, paths: lease.paths })),
      );
    return this.#step("leases.break", input, expected, (outcome) =>
      inOrder((outcome as { broken: object[] }).broken),
    );
  }

  #settle(): LeaseStep {
    const room = this.#room();
    const { now, moment } = this.#moment();
    return this.#step("leases.settle", { ...moment, room: room.slug }, () => this.model.settle(room, now));
  }

  #check(): LeaseStep {
    const { below, oneOf } = this.random;
    const room = this.#room();
    const { now, moment } = this.#moment();
    const own = oneOf(this.#people);
    const paths = [...new Set(Array.from({ length: 1 + below(6) }, () => oneOf(universe)))];
    const fences = paths.flatMap((path): [string, number][] =>
      below(4) > 0 ? [] : [[path, Math.max(room.fence - below(10), 1)]],
    );
    const input = { ...moment, room: room.slug, paths, fences, own };
    const expected = () => this.model.check(room, own, paths, new Map(fences), now);
    return this.#step("test.lease_check", input, expected, (outcome) => {
      const { held, stale } = outcome as Awaited<ReturnType<typeof checkSlice>>;
      const is_on_path = held.every(({ path, lease_path }) => conflict(path, lease_path));
      return { held: held.map(({ path, yours }) => ({ path, yours: yours && is_on_path })), stale };
    });
  }

  #list(): LeaseStep {
    const { below, oneOf } = this.random;
    const room = this.#room();
    const { now, moment } = this.#moment();
    const [own, prefix, limit] = [
      oneOf(this.#people),
      below(2) === 0 ? oneOf(universe) : undefined,
      1 + below(10),
    ];
    const input = { ...moment, room: room.slug, prefix, limit, own };
    const expected = () => {
      const leases = room.leases.filter(
        (lease) =>
          lease.ends_ms > now && (prefix === undefined || lease.paths.some((path) => conflict(path, prefix))),
      );
      const shown = leases.slice(0, limit).map(({ holder, paths, fence, ends_ms }) => ({
        holder,
        paths,
        until: iso(ends_ms + this.ahead_ms),
        ...(holder === own && { fence }),
      }));
      const in_line = room.places.filter(({ ends_ms }) => ends_ms > now);
      return {
        leases: shown,
        has_more: leases.length > limit,
        in_line: in_line.map(({ name, paths }) => ({ name, paths })).slice(0, 50),
      };
    };
    return this.#step("test.lease_list", input, expected, (outcome) => {
      const { leases, next, in_line } = outcome as Awaited<ReturnType<typeof listLeases>>;
      const shown = leases.map(({ holder, paths, until, fence }) => ({
        holder,
        paths,
        until,
        ...(fence !== undefined && { fence }),
      }));
      return { leases: shown, has_more: next !== null, in_line };
    });
  }

  #suspend(): LeaseStep {
    const { suspended } = this.model;
    // Mostly nobody is suspended, or most calls would be refused.
    const who = suspended.size > 0 ? [...suspended][0]! : this.random.oneOf(this.#people);
    const by = { actor: "operator", reason: "r", scopes: [] };
    const action = { ...this.#moment().moment, ...by, name: who, look: lookKey(who) };
    const is_suspended = suspended.has(who);
    const apply = () => {
      if (is_suspended) suspended.delete(who);
      else this.model.suspend(who);
    };
    const name = is_suspended ? "names.unsuspend" : "names.suspend";
    const input = { ...action, ...(!is_suspended && { until: null }) };
    return this.#step(name, input, apply, () => undefined);
  }

  #lease = (outcome: Refused | ModelLease): unknown =>
    outcome instanceof Refused
      ? outcome
      : { fence: outcome.fence, expires: iso(outcome.ends_ms), paths: outcome.paths };
}

const inOrder = (list: object[]): string[] => list.map((one) => JSON.stringify(one)).sort();
