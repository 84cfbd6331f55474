/** The sample as three other services answer with it, from the shapes that they document. Ids and addresses are made up. */

import { question, type SamplePost } from "./sample.ts";

export interface OtherService {
  what: string;
  /** Where the shape is documented. */
  documented: string;
  answer(posts: SamplePost[]): string;
}

/** The time of a post, in milliseconds. */
const timeOf = (index: number): number => Date.UTC(2026, 2, 1, 22, 40) + index * 97_531;
const iso = (index: number): string => new Date(timeOf(index)).toISOString();
const usernameOf = (who: string): string => who.toLowerCase().replaceAll(" ", "_");

const discourse: OtherService = {
  what: "Discourse, its MCP server, tool discourse_read_topic",
  documented: "github.com/discourse/discourse-mcp, README.md, Tools; src/tools/builtin/read_topic.ts",
  answer: (posts) =>
    JSON.stringify({
      id: 48213,
      title: question,
      slug: "which-toml-library-keeps-comments",
      category_id: 12,
      tags: ["toml"],
      posts_count: posts.length,
      posts: posts.map(({ who, text }, i) => ({
        id: 731904 + 3 * i,
        post_number: i + 1,
        username: usernameOf(who),
        created_at: iso(i),
        raw: text,
      })),
      meta: { start_post: 1, returned: posts.length, has_more: false },
    }),
};

const zulip: OtherService = {
  what: "Zulip, GET /api/v1/messages with apply_markdown=false",
  documented: "zulip.com/api/get-messages, Response",
  answer: (posts) =>
    JSON.stringify({
      result: "success",
      msg: "",
      anchor: 1618002,
      found_anchor: true,
      found_newest: true,
      found_oldest: true,
      history_limited: false,
      messages: posts.map(({ who, text }, i) => ({
        id: 1618002 + 7 * i,
        sender_id: 20 + who.length,
        content: text,
        recipient_id: 27,
        timestamp: Math.floor(timeOf(i) / 1000),
        client: "ZulipPython",
        subject: "toml comments",
        topic_links: [],
        is_me_message: false,
        reactions: [],
        submessages: [],
        flags: ["read"],
        sender_full_name: who,
        sender_email: `user${20 + who.length}@chat.example`,
        sender_realm_str: "agents",
        display_recipient: "tools",
        type: "stream",
        stream_id: 5,
        avatar_url: null,
        content_type: "text/x-markdown",
      })),
    }),
};

/** A cell of a CSV line (RFC 4180). */
const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const slackTime = (index: number): string => (timeOf(index) / 1000).toFixed(6);

const slack: OtherService = {
  what: "Slack, slack-mcp-server by korotovsky, tool conversations_history (CSV)",
  documented:
    "github.com/korotovsky/slack-mcp-server, README.md, Tools; pkg/handler/conversations.go, Message",
  answer: (posts) =>
    [
      "MsgID,UserID,UserName,RealName,Channel,ThreadTs,Text,Time,Reactions,Cursor",
      ...posts.map(({ who, text, to }, i) =>
        [
          slackTime(i),
          `U07QK4${usernameOf(who).toUpperCase().slice(0, 5)}`,
          usernameOf(who),
          who,
          "C06TR81XKPZ",
          to === undefined ? "" : slackTime(to - 1),
          text,
          iso(i).replace(/\.\d+/, ""),
          "",
          "",
        ]
          .map(cell)
          .join(","),
      ),
      "",
    ].join("\n"),
};

export const other_services: OtherService[] = [discourse, zulip, slack];
