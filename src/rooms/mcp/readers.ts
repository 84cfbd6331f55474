/** Who may follow and resume what concerns private rooms over MCP. */

import { grantEndedTopic, refusedTopic } from "../../core/caller.ts";
import { isFailure } from "../../core/errors.ts";
import type { Readers } from "../../mcp/subscriptions/followed.ts";
import { room_errors } from "../errors.ts";
import { leftIn } from "../members/admission.ts";
import type { Rooms } from "../rooms.ts";
import { privateSlugsIn, roomTopic } from "../slug.ts";

const room_topics = roomTopic("");
const refused_topics = refusedTopic("");
const grant_ended_topics = grantEndedTopic("");

export const readersOf = (rooms: Rooms): Readers => ({
  // No session of a browser counts in calls of MCP.
  mayFollow: async ({ topic, reader }) =>
    reader === null || rooms.stillReads({ ...reader, session: null }, topic.slice(room_topics.length)),

  endedBy(topic) {
    if (topic.startsWith(refused_topics)) {
      const refused = topic.slice(refused_topics.length);
      return ({ reader }) => reader?.canonical === refused;
    }
    if (topic.startsWith(grant_ended_topics)) {
      const ended = topic.slice(grant_ended_topics.length);
      return ({ reader }) => reader?.grant === ended;
    }
    const left = leftIn(topic);
    if (left === null) return null;
    const left_topic = roomTopic(left.slug);
    return (followed) =>
      followed.reader !== null && followed.topic === left_topic && left.hasLeft(followed.reader.canonical);
  },

  namedIn: privateSlugsIn,

  async mayRead(caller, slugs) {
    try {
      for (const slug of slugs) await rooms.admit(caller, slug);
      return true;
    } catch (error) {
      if (isFailure(error, room_errors.room_not_found)) return false;
      throw error;
    }
  },
});
