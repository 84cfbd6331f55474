/** Reads of jobs and mailboxes as commands, for simulations that run them between other commands. */

import type { Caller, Identity } from "../../src/core/caller.ts";
import { steadyTime, type Moment } from "../../src/core/clock.ts";
import type { CommandRunner, FeatureStorage } from "../../src/core/commands.ts";
import type { Tx } from "../../src/core/storage.ts";
import { Topics } from "../../src/core/topics.ts";
import { Waits } from "../../src/core/waits.ts";
import { boardPage, boardSlice, readJob, type BoardQuery } from "../../src/jobs/queries.ts";
import { countJobs } from "../../src/jobs/store.ts";
import type { MailboxCommands } from "../../src/mailbox/feature.ts";
import { createMailboxes } from "../../src/mailbox/mailbox.ts";
import { FakeClock } from "./clock.ts";

export const reads = {
  "test.job": (tx: Tx, { id, at }: { id: string; at: Moment }) => readJob(tx, id, at),
  "test.board": async (tx: Tx, query: BoardQuery) => {
    const { jobs } = await boardPage(query, (after) => boardSlice(tx, query, after));
    const { open, total } = await countJobs(tx, steadyTime(query));
    return { ids: jobs.map(({ id }) => id), open, total };
  },
  async "test.mailbox"(
    tx: Tx,
    { identity, since, limit }: { identity: Identity; since?: number; limit: number },
  ) {
    const mailboxes = createMailboxes({
      storage: {
        read: (query: (tx: Tx) => unknown) => query(tx),
      } as unknown as FeatureStorage<MailboxCommands>,
      commands: {} as CommandRunner<MailboxCommands>,
      waits: new Waits(new Topics(), new FakeClock()),
      clock: new FakeClock(),
      identityOf: () => identity,
      settle: async () => {},
      excerpts: {
        posts: () => Promise.resolve([]),
        mentions: () => Promise.resolve([]),
        jobs: () => Promise.resolve([]),
      },
      fetched: { add() {} },
    });
    const { notes, count, unread, left } = await mailboxes.read({} as Caller, { since, limit });
    return { notes: notes.map(({ seq, kind, at }) => ({ seq, kind, at })), count, unread, more: left > 0 };
  },
};
