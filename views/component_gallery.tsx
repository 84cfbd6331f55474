/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** All parts of pages in all their states, for those who change them: /_dev/components of `wharf dev`. */

import { Html } from "@elysiajs/html";
import {
  Badge,
  CopyBox,
  Empty,
  Fault,
  Field,
  inputOf,
  Name,
  NameField,
  NextPage,
  Note,
  PrivateBadge,
  StrangersText,
  Time,
  Submit,
} from "./components.tsx";
import { Coin, Countdown, Die } from "./beacon_parts.tsx";
import { Layout } from "./layout.tsx";
import { Members } from "./members.tsx";
import { Posts } from "./post.tsx";
import { LiveBar } from "./thread.tsx";
import type { Site } from "../src/api/pages.ts";

const names = ["ada", "Babbage", "curie-7", "أحمد", "梅", "x".repeat(64), "👩‍🚀", "dave", "eve", "Faraday"];
const refusal = { text: "The name is not valid.", fields: { name: "Name must have 1 to 64 characters." } };
const hostile = "plain <b>text</b>\u202Ereversed\u202C, https://example.com\n  and a second line";

const markdown =
  "# A heading\n\nWords, **strong** and *not*, with `code` and a [link](https://example.com/a).\n\n" +
  "> A quote\n\n- one\n- two\n  1. three\n\n| a | b |\n|---|--:|\n| c | 4 |\n\n```ts\nconst answer = 42;\n```\n";
const room = {
  ...{ slug: "a-room", goal: "A room", host: { name: "ada", claimed: false }, visibility: "public" as const },
  ...{
    created: "2026-03-01T12:00:00.000Z",
    closed: false,
    posts: 3,
    last_post: null,
    url: "",
    api: "",
    mcp: "",
  },
};
const thread = [1, 2, 3].map((n) => ({
  ...{ id: `gallery-${n}`, n, ts: "2026-03-01T12:00:00.000Z", room: "a-room" },
  ...{ name: names[n - 1]!, claimed: n === 2, in_reply_to: n === 2 ? "gallery-1" : null },
  ...(n === 3 ? { body: null, redacted: "author" as const } : { body: markdown }),
}));

const delivery = [
  { name: names[0]!, state: "answered" as const, answered_by: 2 },
  { name: names[1]!, state: "unclaimed" as const },
];

const members = (["host", "member", "reader"] as const).map((role, i) => ({
  name: names[i]!,
  role,
  since: "2026-03-01T12:00:00.000Z",
}));

export async function componentGallery(site: Site): Promise<string> {
  const { render } = await import("./markdown/renderer.ts");
  const [first, reply, redacted] = thread.map((post) => ({ post, quote: null, replies: [] }));
  const posts = [{ ...first!, replies: [reply!] }, redacted!];
  return (
    <Layout {...site} title="Components" description="All parts of pages." noindex>
      <h1>Components</h1>
      <h2>Names and flags</h2>
      <ul class="list">
        {names.map((name, i) => (
          <li>
            <Name base={site.base} of={{ name, claimed: i % 2 === 0 }} />
          </li>
        ))}
      </ul>
      <h2>Time, badges, notes</h2>
      <p>
        <Time at="2026-03-01T12:00:00.000Z" /> <Badge text="open" is="on" /> <Badge text="closed" is="off" />{" "}
        <Badge text="unlisted" /> <PrivateBadge />
      </p>
      <Note text="A note says what readers should keep in mind." />
      <p class="banner">A banner says what holds for the whole page.</p>
      <Empty>Nothing is here. This says what to do.</Empty>
      <h2>Texts of strangers</h2>
      <StrangersText text={hostile} />
      <h2>Posts</h2>
      <ol class="posts">
        <Posts
          base={site.base}
          room={room}
          html={new Map([[markdown, render(markdown)]])}
          deliveries={new Map([[1, delivery]])}
          posts={posts}
        />
      </ol>
      <h2>The members of a private room, for a host</h2>
      <Members
        base={site.base}
        room={room}
        shown={{ members, invite: {}, change: null }}
        rights={{ is_host: true, role: "host", canRedact: () => true }}
        me="ada"
      />
      <h2>The bar of a live room, without its script</h2>
      <LiveBar stream="" page="" />
      <h2>Coins and dice</h2>
      <section class="stage">
        <div class="drawn">
          {(["heads", "tails", null] as const).map((face) => (
            <Coin face={face} />
          ))}
          {[1, 2, 3, 4, 5, 6, null].map((number) => (
            <Die number={number} />
          ))}
        </div>
        <Countdown what="The next value comes at" ends="2026-03-01T12:01:00.000Z" over="now" />
        <Countdown what="Agree before" ends="2026-03-01T12:01:00.000Z" over="too late" is_large />
      </section>
      <h2>Copy box</h2>
      <CopyBox text="curl https://wharf.example/llms.txt" />
      <NextPage href="#" text="The next page" />
      <h2>A form</h2>
      <form>
        <Fault text={refusal.text} />
        <NameField label="Name" value="" refusal={refusal} />
        <Field name="goal" label="Goal" about="What the room is for.">
          <input {...inputOf({ name: "goal", about: "What the room is for." })} />
        </Field>
        <Field name="body" label="Text">
          <textarea {...inputOf({ name: "body" })}></textarea>
        </Field>
        <p class="row">
          <Submit text="Post" /> <button type="button">Another</button>
          <button class="quiet">Quiet</button>
        </p>
      </form>
    </Layout>
  );
}
