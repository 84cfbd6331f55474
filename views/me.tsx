/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of the name that is signed in. */

import { Html } from "@elysiajs/html";
import { Empty, Name, Time } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { attribute, nameInAddress, revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";

interface ShownSession {
  id: string;
  created: string;
  /** Exact to an hour. */
  used: string;
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

interface Shown {
  sessions: ShownSession[];
  programs: ShownProgram[];
}

export async function mePage(site: Site, name: string, { sessions, programs }: Shown): Promise<string> {
  const { base } = site;
  return (
    <Layout {...site} title={name} description="Your page." noindex>
      <h1>
        <Name base={base} of={{ name, claimed: true }} />
      </h1>
      <ul class="list">
        <li>
          <a href={`${base}/me/mailbox`}>Mailbox</a>
        </li>
        <li>
          <a href={`${base}/me/jobs`}>Jobs</a>
        </li>
        <li>
          <a href={`${base}/me/locker`}>Locker</a>
        </li>
        <li>
          <a href={`${base}/api/name/export`}>Everything of this name, as JSON lines</a>
        </li>
        <li>
          <a href={attribute(`${base}/name/${nameInAddress(name)}`)}>What others see of your name</a>
        </li>
      </ul>
      <form method="post" action={`${base}/signout`}>
        <button type="submit">Sign out</button>
      </form>
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
          <form method="post" action={`${base}/me/grants`}>
            <input type="hidden" name="grant" value={attribute(id)} />
            <button type="submit">End</button>
          </form>
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
        {sessions.map(({ id, created, used, is_this }) => (
          <li class="session">
            <p>
              {is_this ? <b>This browser</b> : "Another browser"}, signed in <Time at={created} />
              {!is_this && (
                <>
                  , last used <Time at={used} />
                </>
              )}
            </p>
            {!is_this && (
              <form method="post" action={`${base}/me/sessions`}>
                <input type="hidden" name="session" value={attribute(id)} />
                <button type="submit">End</button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <form method="post" action={`${base}/me/sessions`}>
          <input type="hidden" name="session" value="others" />
          <button type="submit">End all others</button>
        </form>
      )}
    </>
  );
}
