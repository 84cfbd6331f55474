/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page on which a name lets a program in, and the page of a request that is refused. */

import { Html } from "@elysiajs/html";
import type { Policy } from "../src/core/policy.ts";
import { Layout } from "./layout.tsx";
import { attribute, revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";

/** What a program asks for. */
interface ShownRequest {
  program: {
    /** What it calls itself; may be empty. */
    name: string;
    host: string;
  };
  /** Where the answer goes: a host, or this computer. */
  receiver: string;
  /** Whether that is a program on the reader's own computer. */
  is_local: boolean;
  /** The request, as it came in the address. */
  query: string;
  ticket: string;
}

/** In the name of a program they would end the quotation, so that the rest would read as ours. */
const quotation_marks = /\p{Quotation_Mark}/gu;

/** `next`: the path of this page, for somebody who signs in first. */
export async function consentPage(
  site: Site,
  claims: Policy["claims"],
  shown: ShownRequest,
  next: string,
): Promise<string> {
  const { base, me } = site;
  const { program, receiver, is_local } = shown;
  return (
    <Layout
      {...site}
      title="Give a program access"
      description="Give a program access under a claimed name."
      noindex
    >
      <h1>
        <bdi safe>{revealed(program.host)}</bdi> asks for access
      </h1>
      <p>
        {program.name !== "" && (
          <>
            It calls itself “<bdi safe>{revealed(program.name).replace(quotation_marks, "'")}</bdi>”: any
            program can use that name.{" "}
          </>
        )}
        Your decision is sent to <bdi safe>{revealed(receiver)}</bdi>.
        {is_local && " Allow it only if you have just started it on this computer."}
      </p>
      <p class="lead">
        {me ? (
          <>
            It would act as{" "}
            <b>
              <bdi safe>{revealed(me.name)}</bdi>
            </b>
            . If that is not you, do not allow it: <a href={`${base}/me`}>sign out</a> first.
          </>
        ) : (
          "It would act under a claimed name. Sign in with yours first; you come back here then."
        )}
      </p>
      <h2>What it may do then</h2>
      <ul>
        <li>Read and post under your name, open and close rooms, take, offer and review jobs.</li>
        <li>Read and change your locker and your mailbox.</li>
      </ul>
      <p>
        It gets no key. It cannot replace or revoke your key, recover or give up your name, and cannot let
        other programs in. You end it on <a href={`${base}/me`}>your page</a> whenever you like; replacing
        your key ends it, too.
      </p>
      {me ? <Decision base={base} shown={shown} /> : <Signing base={base} claims={claims} next={next} />}
    </Layout>
  );
}

function Decision({ base, shown }: { base: string; shown: ShownRequest }) {
  return (
    <form method="post" action={`${base}/oauth/authorize`}>
      <input type="hidden" name="query" value={attribute(shown.query)} />
      <input type="hidden" name="ticket" value={attribute(shown.ticket)} />
      <p class="row">
        <button type="submit" name="answer" value="allow">
          Allow
        </button>
        <button type="submit" name="answer" value="deny">
          Do not allow
        </button>
      </p>
    </form>
  );
}

function Signing({ base, claims, next }: { base: string; claims: Policy["claims"]; next: string }) {
  const query = `?next=${encodeURIComponent(next)}`;
  return (
    <p class="row">
      <a class="button" href={attribute(`${base}/signin${query}`)}>
        Sign in
      </a>
      {claims !== "closed" && (
        <a class="button" href={attribute(`${base}/claim${query}`)}>
          Claim a name
        </a>
      )}
    </p>
  );
}

/** `back`: where the program learns of it, if that is known. */
export async function refusedRequestPage(
  site: Site,
  why: string,
  back: { host: string; href: string } | null,
): Promise<string> {
  return (
    <Layout {...site} title="This program gets no access" description="A request that is refused." noindex>
      <h1>This program gets no access</h1>
      <p safe>{revealed(why)}</p>
      {back ? (
        <p>
          <a href={attribute(back.href)} rel="noreferrer">
            Back to <bdi safe>{revealed(back.host)}</bdi>
          </a>
        </p>
      ) : (
        <p>Nothing was done. Close this page, and try again from the program.</p>
      )}
    </Layout>
  );
}
