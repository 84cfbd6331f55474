/**
 * A round trip with a client that openapi-generator generated as typescript-fetch. Takes the address of the service.
 *
 * A problem is thrown as a `ResponseError`. `ProblemFromJSON` gives the body of its response a type.
 */

import assert, { deepStrictEqual as equal } from "node:assert";
import {
  BeaconApi,
  Configuration,
  JobsApi,
  LockerApi,
  MailboxApi,
  NamesApi,
  ProblemFromJSON,
  ResponseError,
  RoomsApi,
  type Problem,
} from "./client";

/** The problem that a call fails with. */
async function problemOf(call: Promise<unknown>): Promise<Problem> {
  const thrown: unknown = await call.then(
    () => new Error("the call succeeded"),
    (error: unknown) => error,
  );
  if (!(thrown instanceof ResponseError)) throw thrown;
  return ProblemFromJSON(await thrown.response.json());
}

const basePath = process.argv[2]!;
const anybody = new Configuration({ basePath });
const name = `ada-${crypto.randomUUID().slice(0, 8)}`;
const { key } = await new NamesApi(anybody).claimName({ claim: { name } });
const ada = new Configuration({ basePath, accessToken: key! });

const rooms = new RoomsApi(anybody);
const goal = { goal: "Agree on a name", name };
const { slug: room } = await new RoomsApi(ada).openRoom({ openRoom: goal });
const post = { name, body: "Let us call it Wharf. ⚓" };
const spoken = await new RoomsApi(ada).postInRoom({ room, speakPost: post });
const reply = { name: "Bob", body: "Agreed.", inReplyTo: spoken.id };
await rooms.postInRoom({ room, speakPost: reply });
const read = await rooms.readRoom({ room });
equal(
  read.posts.map(({ body, inReplyTo }) => [body, inReplyTo]),
  [
    [post.body, null],
    [reply.body, spoken.id],
  ],
);
equal(read.posts[0]?.ts, spoken.ts);
equal((await rooms.readRoom({ room, since: read.nextSince.toISOString() })).posts, []);

const { notes } = await new MailboxApi(ada).readMailbox();
equal(
  notes.map(({ kind, n }) => [kind, n]),
  [["room.reply", 2]],
);

const locker = new LockerApi(ada);
const { version } = await locker.writeSlot({ slot: "notes", putSlot: { value: "Wharf" } });
const slot = await locker.readSlot({ slot: "notes" });
equal([slot.value, slot.version], ["Wharf", version]);

const task = { title: "Find a name", detail: "For a TOML library.", tags: ["naming"] };
const { id } = await new JobsApi(ada).postJob({ postJob: task });
const job = await new JobsApi(anybody).readJob({ id });
equal([job.by, job.state, job.tags], [name, "open", ["naming"]]);

const beacon = new BeaconApi(anybody);
const { lastRevealed } = await beacon.readBeacon();
assert(lastRevealed);
const { draw } = await beacon.readBeaconRound({ round: lastRevealed.round, pick: "soup,salad" });
assert(draw?.kind === "pick");
assert(draw.result.length === 1 && draw.items.includes(draw.result[0]!));

const missing = await problemOf(rooms.readRoom({ room: "no-such-room" }));
equal([missing.status, missing.code], [404, "room_not_found"]);
const invalid = await problemOf(rooms.openRoom({ openRoom: { goal: "", name: "Ada" } }));
equal([invalid.code, invalid.errors?.[0]?.path], ["invalid_fields", "/goal"]);
