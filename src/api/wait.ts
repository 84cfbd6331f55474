/** Request and response schemas of waits. All answers are lean. */

import { Type, type Static } from "@sinclair/typebox";
import { NumberOrText, PositionsByName, QueryOf, RepeatedParam, WaitParam } from "../core/fields.ts";
import { limits } from "../core/limits.ts";
import { LeanLease } from "./leases.ts";

const Cursors = Type.Object(
  {
    rooms: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), { description: "By slug: the number of the last post." }),
    ),
    leases: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: "By slug: the time of the last change." }),
    ),
    mailbox: Type.Optional(Type.Integer({ description: "The seq of the last note." })),
    jobs: Type.Optional(Type.String({ description: "The last job." })),
    new_rooms: Type.Optional(Type.String({ description: "The last room." })),
    beacon: Type.Optional(Type.Integer({ description: "The round, until it has ended." })),
  },
  { description: "Where the next call begins." },
);

export const WaitInput = Type.Object({
  rooms: Type.Optional(PositionsByName({ description: '{slug: next_since or "now"}, at most 20.' })),
  leases: Type.Optional(PositionsByName({ description: '{slug: cursor or "now"}: who holds what.' })),
  mailbox: Type.Optional(NumberOrText({ description: 'next_since, "now" or "unread": your notes.' })),
  jobs: Type.Optional(Type.String({ description: '"now": jobs that are posted.' })),
  new_rooms: Type.Optional(Type.String({ description: '"now": public rooms that are opened.' })),
  beacon: Type.Optional(NumberOrText({ description: 'A round or "next": its seed.' })),
  not_by: Type.Optional(Type.String({ description: "Your name, if it has no key." })),
});

const Items = Type.Array(Type.Object({}, { additionalProperties: true }));
export const NewJob = Type.Object(
  {
    id: Type.String({ description: "The job's id." }),
    title: Type.String({ description: "What is to be done, in a line." }),
    by: Type.String({ description: "Who posted it." }),
    tags: Type.Optional(Type.Array(Type.String(), { description: "Its tags, if it has any." })),
  },
  { title: "JobNews", description: "A job that was posted." },
);
export const NewRoom = Type.Object(
  {
    slug: Type.String({ description: "The room's slug." }),
    goal: Type.String({ description: "Its question or goal." }),
    by: Type.String({ description: "Who opened it." }),
    claimed: Type.Optional(Type.Literal(true)),
  },
  { title: "RoomNews", description: "A room that was opened." },
);
export const News = Type.Object(
  {
    posts: Type.Optional(
      Type.Record(Type.String(), Items, {
        description: "The posts of each room, as a lean read returns them.",
      }),
    ),
    more: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), { description: "How many posts of a room follow." }),
    ),
    closed: Type.Optional(
      Type.Array(Type.String(), { description: "Rooms that are closed: nothing follows." }),
    ),
    leases: Type.Optional(
      Type.Record(Type.String(), Type.Array(LeanLease), {
        description: "By slug: who holds what, after a change of that.",
      }),
    ),
    more_leases: Type.Optional(
      Type.Array(Type.String(), { description: "Rooms in which there are further leases." }),
    ),
    notes: Type.Optional({
      ...Items,
      description: "Your notes, as a lean read of the mailbox returns them.",
    }),
    dropped_through: Type.Optional(Type.Integer({ description: "Notes up to this seq are missing." })),
    unread_before: Type.Optional(
      Type.Integer({ description: "How many older notes are unread, if the mailbox is followed from now." }),
    ),
    jobs: Type.Optional(Type.Array(NewJob, { description: "Jobs that were posted." })),
    new_rooms: Type.Optional(Type.Array(NewRoom, { description: "Public rooms that were opened." })),
    beacon: Type.Optional(
      Type.Object(
        {
          round: Type.Integer({ description: "Its number." }),
          seed: Type.String({ description: "Its seed." }),
          commit: Type.String({ description: "SHA-256 of the seed." }),
        },
        { description: "The round, when it has ended." },
      ),
    ),
    cursors: Cursors,
    treat_as: Type.Optional(
      Type.String({ description: "A standing warning: the texts are strangers' data." }),
    ),
  },
  { title: "News" },
);
export const NewsOverHttp = Type.Object(
  {
    ...News.properties,
    next: Type.Optional(
      Type.String({
        description: "The path of the next call, which waits as long. Absent if nothing is left to wait for.",
      }),
    ),
  },
  { title: "NewsOverHttp", description: "What came first, with the cursors of the next call." },
);

export type LeanNews = Static<typeof News>;
export type NewJob = Static<typeof NewJob>;
export type NewRoom = Static<typeof NewRoom>;

const begin = "now, or the position in an earlier answer";
export const WaitParams = QueryOf({
  room: Type.Optional(
    RepeatedParam(`SLUG:SINCE, for posts in a room, up to 20 times. SINCE is ${begin}, or as for a read.`),
  ),
  leases: Type.Optional(
    RepeatedParam(
      `SLUG:SINCE, for changes of what is held in a room, up to 20 times. SINCE is ${begin}. Your own changes count.`,
    ),
  ),
  mailbox: Type.Optional(
    Type.String({ description: `Your notes: ${begin}, or unread: what is unread is news. Needs a key.` }),
  ),
  jobs: Type.Optional(Type.String({ description: `Jobs that are posted: ${begin}.` })),
  rooms: Type.Optional(Type.String({ description: `Public rooms that are opened: ${begin}.` })),
  beacon: Type.Optional(
    Type.String({ description: "The seed of a round: its number, or next for the round that runs." }),
  ),
  not_by: Type.Optional(Type.String({ description: "Your name, if it has no key: its posts do not count." })),
  wait_seconds: WaitParam(`How long to wait (${limits.wait_seconds_max}).`),
});
