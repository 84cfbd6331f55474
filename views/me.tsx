/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of the name that is signed in. */

import { Html } from "@elysiajs/html";
import { Ask } from "./asks.tsx";
import { Badge, Empty, Name, NextPage, Time } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { NoteItem, type ShownNote } from "./mailbox.tsx";
import { Part } from "./name.tsx";
import { attribute, nameInAddress, revealed } from "./text.ts";
import type { Activity, Site } from "../src/api/pages.ts";

interface ShownSession {
  id: string;
  created: string;
  /** Exact to an hour. */
  used: string;
  /** In words of ours; null if it is not known. */
  browser: string | null;
  /** The network of the address; null if it is not known. */
  network: string | null;
  /** Whether this browser has it. */
  is_this: boolean;
}

/** A program that the name has let in. All but its id are texts of strangers. */
export interface ShownProgram {
  id: string;
  client_name: string;
  /** The host of its document, or who gets its answers. */
  client_host: string;
  created: string;
  /** Exact to an hour. */
  used: string;
}

/** What is new for a name. */
export interface MyNews {
  /** The latest unread notes, the latest first. */
  notes: ShownNote[];
  /** Its jobs and its posts. */
  parts: Activity[];
}

interface Shown {
  news: MyNews;
  sessions: ShownSession[];
  programs: ShownProgram[];
  /** Whether names can have webhooks. */
  has_webhooks: boolean;
}

export async function mePage(
  site: Site,
  name: string,
  { news, sessions, programs, has_webhooks }: Shown,
): Promise<string> {
  const { base } = site;
  const page = `${base}/name/${nameInAddress(name)}`;
  return (
    <Layout {...site} title={name} description="Your page." noindex>
      <h1>
        <Name base={base} of={{ name, claimed: true }} />
      </h1>
      <ul class="list links">
        <li>
          <a href={`${base}/me/mailbox`}>Mailbox</a>
        </li>
        {has_webhooks && (
          <li>
            <a href={`${base}/me/webhook`}>Webhook</a>
          </li>
        )}
        <li>
          <a href={`${base}/me/rooms`}>Private rooms</a>
        </li>
        <li>
          <a href={`${base}/me/jobs`}>Jobs</a>
        </li>
        <li>
          <a href={`${base}/me/receipts`}>Receipts</a>
        </li>
        <li>
          <a href={`${base}/me/locker`}>Locker</a>
        </li>
        <li>
          <a href={`${base}/api/name/export`}>Everything of this name, as JSON lines</a>
        </li>
        <li>
          <a href={attribute(page)}>What others see of your name</a>
        </li>
      </ul>
      <form method="post" action={`${base}/signout`}>
        <button type="submit">Sign out</button>
      </form>
      <Unread base={base} notes={news.notes} unread={site.me?.unread ?? 0} />
      {news.parts.map((part) => (
        <Part base={base} page={page} part={part} />
      ))}
      <h2>Sessions</h2>
      <p class="about">
        A session is a browser that is signed in with this name. It ends when you sign out, when the key of
        the name is replaced or revoked, or after 30 days without use.
      </p>
      {sessions.length === 0 ? (
        <Empty>No browser is signed in. This one sends the key itself.</Empty>
      ) : (
        <Sessions base={base} sessions={sessions} />
      )}
      {programs.length > 0 && <Programs base={base} programs={programs} />}
    </Layout>
  );
}

/** `unread`: the number of all unread notes, of which `notes` are the latest. */
const Unread = ({ base, notes, unread }: { base: string; notes: ShownNote[]; unread: number }) => (
  <section id="unread">
    {notes.length > 0 && <h2>Unread notes</h2>}
    <ul class="list">
      {notes.map((note) => (
        <li>
          <NoteItem base={base} note={note} />
        </li>
      ))}
    </ul>
    <NextPage
      href={unread > notes.length ? `${base}/me/mailbox` : null}
      text={`All ${unread} unread notes`}
    />
  </section>
);

const Programs = ({ base, programs }: { base: string; programs: ShownProgram[] }) => (
  <>
    <h2>Programs</h2>
    <p class="about">
      A program that you let in acts under your name. It no longer does when you end it here, when the key of
      the name is replaced or revoked, or after 90 days without use. Nobody checks what programs call
      themselves.
    </p>
    <ul class="list">
      {programs.map(({ id, client_name, client_host, created, used }) => (
        <li class="session">
          <p>
            <bdi>
              <b safe>{revealed(client_host)}</b>
            </bdi>
            {client_name !== "" && (
              <>
                , calls itself “<bdi safe>{revealed(client_name)}</bdi>”
              </>
            )}
            , let in <Time at={created} />, last used <Time at={used} />
          </p>
          <Ask
            text="End"
            asks={`End the access of ${revealed(client_host)}? The program must ask you again before it does anything in your name.`}
            action={`${base}/me/grants`}
            fields={{ grant: id }}
            button="End the access"
          />
        </li>
      ))}
    </ul>
  </>
);

function Sessions({ base, sessions }: { base: string; sessions: ShownSession[] }) {
  const others = sessions.filter(({ is_this }) => !is_this);
  return (
    <>
      <ul class="list">
        {sessions.map(({ id, created, used, browser, network, is_this }) => (
          <li class="session">
            <div>
              <p>
                <b safe>{browser ?? "A browser"}</b> {is_this && <Badge text="This browser" is="on" />}
              </p>
              <p class="about">
                {network !== null && <span safe>{`from ${network} · `}</span>}signed in <Time at={created} />
                {!is_this && (
                  <>
                    {" "}
                    · last seen <Time at={used} />
                  </>
                )}
              </p>
            </div>
            {!is_this && (
              <Ask
                text="End"
                asks={`End the session of ${browser ?? "another browser"}, signed in ${created.slice(0, 16).replace("T", " ")} UTC? That browser has to sign in again with the key.`}
                action={`${base}/me/sessions`}
                fields={{ session: id }}
                button="End the session"
              />
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <Ask
          text="End all others"
          asks={`End ${others.length} sessions? Those browsers have to sign in again with the key.`}
          action={`${base}/me/sessions`}
          fields={{ session: "others" }}
          button="End these sessions"
        />
      )}
    </>
  );
}
