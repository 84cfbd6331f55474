/** Jobs and mailboxes as plain objects: the expected answer of each command, and the expected state after it. */

import type { ErrorCode } from "../../src/app/error_catalog.ts";
import type { Note } from "../../src/api/mailbox.ts";

export const held_jobs_max = 5;
const lease_ms = 3_600_000;
const lease_in_all_ms = 24 * lease_ms;
const iso = (ms: number): string => new Date(ms).toISOString();

export interface ModelJob {
  seq: number;
  id: string;
  poster: string;
  state: "open" | "held" | "delivered" | "withdrawn";
  claim_no: number;
  holder: string | null;
  claimed_ms: number;
  ends_ms: number;
  result: string | null;
  verdict: string | null;
}
export interface ModelMailbox {
  last_seq: number;
  read_through: number;
  notes: Pick<Note, "seq" | "kind" | "at">[];
}

/** A command's answer that is a refusal. */
export class Refused {
  constructor(
    readonly code: ErrorCode,
    readonly members: object = {},
  ) {}
}

/** A command's answer: a refusal or the job after it. */
type Outcome = Refused | ModelJob;

export class Model {
  readonly jobs: ModelJob[] = [];
  /** Jobs that are not withdrawn or delivered. */
  readonly active = new Set<ModelJob>();
  readonly mailboxes = new Map<string, ModelMailbox>();
  /** Service time minus steady time. All times here are steady. */
  ahead_ms = 0;

  constructor(people: string[]) {
    for (const who of people) this.mailboxes.set(who, { last_seq: 0, read_through: 0, notes: [] });
  }

  /** Returns what takes back all changes from now on to `jobs`, to jobs that are not done, and to mailboxes. */
  remember(jobs: readonly ModelJob[]): () => void {
    const active = [...this.active];
    const saved = [...jobs, ...active].map((job) => [job, { ...job }] as const);
    const count = this.jobs.length;
    const mailboxes = [...this.mailboxes].map(
      ([who, box]) => [who, { ...box, notes: [...box.notes] }] as const,
    );
    return () => {
      for (const [job, before] of saved) Object.assign(job, before);
      this.jobs.length = count;
      this.active.clear();
      for (const job of active) this.active.add(job);
      for (const [who, box] of mailboxes) this.mailboxes.set(who, { ...box, notes: [...box.notes] });
    };
  }

  hasExpired = (job: ModelJob, now: number): boolean => job.state === "held" && job.ends_ms <= now;
  isOpen = (job: ModelJob, now: number): boolean => job.state === "open" || this.hasExpired(job, now);
  isHeld = (job: ModelJob, now: number): boolean => job.state === "held" && job.ends_ms > now;

  countOpen(now: number, poster?: string): number {
    let count = 0;
    for (const job of this.active) {
      if (this.isOpen(job, now) && (poster === undefined || job.poster === poster)) count++;
    }
    return count;
  }

  #note(who: string, kind: Note["kind"], now: number): void {
    const mailbox = this.mailboxes.get(who)!;
    mailbox.notes.push({ seq: ++mailbox.last_seq, kind, at: iso(now + this.ahead_ms) });
    if (mailbox.notes.length > 1_000) mailbox.notes.shift();
  }

  /** Records that a lease has ended. Only a command that succeeds does so. */
  #settle(job: ModelJob): void {
    Object.assign(job, { state: "open", holder: null });
  }
  #noteExpiry({ poster, holder, ends_ms }: ModelJob): void {
    this.#note(poster, "job.lapsed", ends_ms);
    this.#note(holder!, "job.lapsed", ends_ms);
  }
  /** Settles the lease of a job if it has expired. */
  settleFirst(job: ModelJob, now: number): void {
    if (!this.hasExpired(job, now)) return;
    this.#noteExpiry(job);
    this.#settle(job);
  }

  post(id: string, poster: string, now: number): Outcome {
    if (this.countOpen(now, poster) >= 10) return new Refused("too_many_open_jobs");
    const bare = { holder: null, claimed_ms: 0, ends_ms: 0, result: null, verdict: null };
    const job: ModelJob = { seq: this.jobs.length + 1, id, poster, state: "open", claim_no: 0, ...bare };
    this.jobs.push(job);
    this.active.add(job);
    return job;
  }

  claim(job: ModelJob, who: string, now: number): Outcome {
    if (job.poster === who) return new Refused("own_job");
    const busy = this.#notOpen(job, now);
    if (busy) return busy;
    const held = [...this.active].filter((one) => one.holder === who && this.isHeld(one, now));
    if (held.length >= held_jobs_max) return new Refused("too_many_held_jobs");
    this.settleFirst(job, now);
    job.state = "held";
    job.holder = who;
    job.claim_no++;
    job.claimed_ms = now;
    job.ends_ms = now + lease_ms;
    this.#note(job.poster, "job.claimed", now);
    return job;
  }

  #notOpen(job: ModelJob, now: number): Refused | null {
    if (this.isOpen(job, now)) return null;
    if (job.state === "held")
      return new Refused("job_held", { held_by: job.holder, until: iso(job.ends_ms + this.ahead_ms) });
    return new Refused(job.state === "delivered" ? "job_delivered" : "job_withdrawn");
  }

  #notHolder(job: ModelJob, who: string, now: number): Refused | null {
    if (job.state === "delivered") return new Refused("job_delivered");
    return this.isHeld(job, now) && job.holder === who ? null : new Refused("not_holder");
  }

  extend(job: ModelJob, who: string, now: number): Outcome {
    const refused = this.#notHolder(job, who, now);
    if (refused) return refused;
    const last_ms = job.claimed_ms + lease_in_all_ms;
    if (job.ends_ms >= last_ms) return new Refused("lease_spent");
    job.ends_ms = Math.min(Math.max(job.ends_ms, now + lease_ms), last_ms);
    return job;
  }

  release(job: ModelJob, who: string, now: number): Outcome {
    const refused = this.#notHolder(job, who, now);
    if (refused) return refused;
    this.#settle(job);
    this.#note(job.poster, "job.released", now);
    return job;
  }

  deliver(job: ModelJob, who: string, now: number, result: string, claim_no: number | null): Outcome {
    if (job.state === "delivered" && job.holder === who && job.result === result) return job;
    const refused = this.#notHolder(job, who, now);
    if (refused) return refused;
    if (claim_no !== null && claim_no !== job.claim_no)
      return new Refused("stale_claim", { claim_no: job.claim_no });
    job.state = "delivered";
    job.result = result;
    this.active.delete(job);
    this.#note(job.poster, "job.delivered", now);
    return job;
  }

  withdraw(job: ModelJob, who: string, now: number): Outcome {
    if (job.poster !== who) return new Refused("not_your_job");
    if (job.state === "withdrawn") return job;
    const busy = this.#notOpen(job, now);
    if (busy) return busy;
    this.settleFirst(job, now);
    job.state = "withdrawn";
    this.active.delete(job);
    return job;
  }

  review(job: ModelJob, who: string, now: number, verdict: string): Outcome {
    if (job.poster !== who) return new Refused("not_your_job");
    if (job.state !== "delivered") return new Refused("not_delivered");
    if (job.verdict) return new Refused("already_reviewed");
    job.verdict = verdict;
    this.#note(job.holder!, "job.reviewed", now);
    return job;
  }

  /** Settles the 100 leases that ended first. */
  settle(now: number): { more: boolean; next_end: string | null } {
    const held = [...this.active].filter(({ state }) => state === "held");
    held.sort((a, b) => a.ends_ms - b.ends_ms || a.seq - b.seq);
    const expired = held.filter(({ ends_ms }) => ends_ms <= now).slice(0, 100);
    for (const job of expired) this.settleFirst(job, now);
    const next = held[expired.length];
    return { more: expired.length === 100, next_end: next ? iso(next.ends_ms) : null };
  }

  keyChanged(who: string, now: number): void {
    this.#note(who, "name.key_changed", now);
  }

  ack(who: string, through: number): Refused | { through: number; unread: number } {
    const mailbox = this.mailboxes.get(who)!;
    if (through > mailbox.last_seq) return new Refused("invalid_fields");
    mailbox.read_through = Math.max(mailbox.read_through, through);
    return { through: mailbox.read_through, unread: this.unread(who) };
  }

  unread(who: string): number {
    const { last_seq, read_through, notes } = this.mailboxes.get(who)!;
    return Math.min(last_seq - read_through, notes.length);
  }

  clear(who: string): void {
    const mailbox = this.mailboxes.get(who)!;
    mailbox.read_through = mailbox.last_seq;
    mailbox.notes = [];
  }

  /** A page of a mailbox. */
  read(who: string, since: number | undefined, limit: number): Refused | object {
    const { notes, last_seq } = this.mailboxes.get(who)!;
    const oldest = notes[0]?.seq ?? last_seq + 1;
    if (since !== undefined && since < oldest - 1) return new Refused("notes_pruned", { oldest });
    const later = notes.slice(Math.max((since ?? 0) - oldest + 1, 0));
    const more = later.length > limit;
    return { notes: later.slice(0, limit), count: notes.length, unread: this.unread(who), more };
  }

  /** The ids of a page of the board. */
  board(
    state: string | undefined,
    poster: string | undefined,
    oldest_first: boolean,
    limit: number,
    now: number,
  ): string[] {
    const found: string[] = [];
    const from =
      state === "open" || state === "held" ? [...this.active].sort((a, b) => a.seq - b.seq) : this.jobs;
    for (let i = 0; i < from.length && found.length < limit; i++) {
      const job = from[oldest_first ? i : from.length - 1 - i]!;
      const present = this.hasExpired(job, now) ? "open" : job.state;
      if ((state ?? present) === present && (poster ?? job.poster) === job.poster) found.push(job.id);
    }
    return found;
  }
}
