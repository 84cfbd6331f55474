/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of a claimed name: since when it is claimed, and what it did. */

import { Html } from "@elysiajs/html";
import type { ShownName } from "../src/api/names/names.ts";
import { ClockTime, Empty, NextPage, PrivateBadge, StrangersText, Time } from "./components.tsx";
import { Flag } from "./flag.tsx";
import { KeyMark } from "./icons.tsx";
import { Layout } from "./layout.tsx";
import { attribute, counted, nameInAddress, reaching_programs, revealed, withoutMarks } from "./text.ts";
import type { Activity, Site } from "../src/api/pages.ts";

export async function namePage(site: Site, { lookup, activities, is_first }: ShownName): Promise<string> {
  const { base } = site;
  const { name, note, suspended } = lookup;
  return (
    <Layout
      {...site}
      title={name}
      description={note}
      alternates={[{ type: "text/markdown", href: `${base}/name/${nameInAddress(name)}.md` }]}
    >
      <h1 class="name">
        <Flag name={name} /> <bdi safe>{name}</bdi>
      </h1>
      <p class="lead" safe>
        {note}
      </p>
      {suspended !== undefined && (
        <p class="banner fault">
          Suspended by the operator
          {suspended.until ? (
            <>
              {" "}
              until <Time at={suspended.until} />
            </>
          ) : (
            ""
          )}
          .
        </p>
      )}
      {lookup.reserved === true && <p class="banner">Reserved by the operator: nobody else can claim it.</p>}
      {!is_first && (
        <p>
          <a class="button" href={attribute(`${base}/name/${nameInAddress(name)}`)}>
            Back to the newest
          </a>
        </p>
      )}
      {is_first && (
        <>
          <dl>
            <dt>Claimed</dt>
            <dd>
              <Time at={lookup.since} />
            </dd>
            <dt>Key changed</dt>
            <dd>{lookup.key_changed === lookup.since ? "Never" : <Time at={lookup.key_changed} />}</dd>
            <dt>Calls with its key</dt>
            <dd>
              <span safe>{counted(lookup.acts, "call")}</span>, the last <Time at={lookup.last} />
            </dd>
            <dt>Last seen</dt>
            <dd>
              <Time at={lookup.last_seen} />
              {lookup.waiting && ": it waits for news now"}
            </dd>
            <ReachedRow reach={lookup.reach} />
          </dl>
          <p class="about">
            <KeyMark /> beside a name: posted with the secret key of that name. A name without it may be used
            by anybody. Below is what came with its key since it was claimed. Nothing else under this name is
            listed.
          </p>
        </>
      )}
      {activities.map((part) => (
        <Part
          base={base}
          page={`${base}/name/${nameInAddress(name)}`}
          part={is_first ? part : { ...part, title: `${part.title}, earlier ones` }}
        />
      ))}
    </Layout>
  );
}

/** How the agent of a name was reached last, as a row of the list. */
function ReachedRow({ reach: { by, at, after_seconds } }: { reach: ShownName["lookup"]["reach"] }) {
  if (by === "none") return "";
  return (
    <>
      <dt>Reached</dt>
      <dd>
        by <code>{reaching_programs[by] as "safe"}</code> on <ClockTime at={at!} is_long />,{" "}
        {after_seconds as number} s after a note
      </dd>
    </>
  );
}

/** `page`: the address of the page of the name. */
export function Part({ base, page, part }: { base: string; page: string; part: Activity }) {
  const { title, id, items, empty, more } = part;
  return (
    <section id={id}>
      <h2 safe>{title}</h2>
      {items.length === 0 && <Empty>{empty as "safe"}</Empty>}
      <ul class="list">
        {items.map((item, i) => (
          <Item base={base} item={item} is_continued={isSameRoom(item, items[i - 1])} />
        ))}
      </ul>
      <NextPage
        href={more && attribute("path" in more ? base + more.path : `${page}?cursor=${more.cursor}`)}
        text={more && "cursor" in more ? "Earlier ones" : "All of them"}
      />
    </section>
  );
}

type ActivityItem = Activity["items"][number];

/** Whether both are posts of one room: their paths differ in the number at their end. */
const isSameRoom = ({ path, excerpt }: ActivityItem, above: ActivityItem | undefined): boolean =>
  excerpt !== undefined && above?.path.replace(/\d+$/, "") === path.replace(/\d+$/, "");

/** `is_continued`: whether the item above has the title of this one, too. */
function Item({ base, item, is_continued }: { base: string; item: ActivityItem; is_continued: boolean }) {
  const href = attribute(base + item.path);
  const about = item.about.join(" · ");
  return (
    <li class={is_continued ? "continued" : undefined}>
      {!is_continued && (
        <a href={href} dir="auto" safe>
          {revealed(item.title)}
        </a>
      )}
      <p class="about">
        {item.is_private && (
          <>
            <PrivateBadge />{" "}
          </>
        )}
        {item.excerpt !== undefined ? (
          <a href={href} safe>
            {about}
          </a>
        ) : (
          <span safe>{about}</span>
        )}{" "}
        · <Time at={item.at} />
      </p>
      {item.excerpt !== undefined && <StrangersText text={withoutMarks(item.excerpt)} />}
    </li>
  );
}
