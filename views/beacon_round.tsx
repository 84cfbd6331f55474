/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of a round or a toss: before its end what is agreed, after it the result and how to check it. */

import { Html } from "@elysiajs/html";
import type { DrawRequest } from "../src/beacon/draw_query.ts";
import type { BeaconRound } from "../src/beacon/schema.ts";
import { Coin, Countdown, Die, Notes } from "./beacon_parts.tsx";
import { CopyBox, Note } from "./components.tsx";
import { Layout, type Site } from "./layout.tsx";
import { clockTime, revealed, shortTime } from "./text.ts";

export interface RoundView {
  round: BeaconRound;
  /** The label and the draw in the address. */
  label: string | undefined;
  request: DrawRequest | null;
  /** The query of the page, with its `?`; empty if there is none. */
  query: string;
  /** The die of the round under the label; null before its end. */
  die: number | null;
}

export async function beaconRoundPage(site: Site, view: RoundView): Promise<string> {
  const { base } = site;
  const { round, query } = view;
  const number = String(round.round);
  const title = query ? titleOf(view) : `Round ${number}`;
  return (
    <Layout
      frame={{
        ...site,
        title: `${title}, ${shortTime(round.ends)}`,
        description: `Round ${number} of the beacon, with its proof.`,
        noindex: query !== "",
        scripts: ["beacon.js"],
        alternates: [
          { type: "text/markdown", href: `${base}/beacon/${number}.md` },
          { type: "application/json", href: `${base}/api/beacon/${number}` },
        ],
      }}
    >
      <h1 safe>{title}</h1>
      <Notes of={round} />
      <p class="unseen" role="status" id="said"></p>
      <div id="toss" data-fresh>
        {round.seed === null ? <Agreed base={base} view={view} /> : <Result base={base} view={view} />}
      </div>
      <Note text={round.caveat} />
    </Layout>
  );
}

function titleOf({ request }: RoundView): string {
  if (!request) return "A coin toss";
  if (request.kind === "int") return isDie(request) ? "A die" : "A number";
  return request.kind === "pick" ? "A pick" : "An order";
}

const isDie = (request: DrawRequest): boolean =>
  request.kind === "int" && request.from === 1 && request.to === 6;

/** What is drawn, in a few words. */
function What({ of: request }: { of: DrawRequest | null }) {
  if (!request) return <>heads or tails</>;
  if (request.kind === "int")
    return <span safe>{`a whole number from ${request.from} to ${request.to}`}</span>;
  return (
    <>
      <span safe>
        {request.kind === "shuffle" ? "the order of" : `${request.n === 1 ? "one" : request.n} of`}
      </span>{" "}
      {request.items.map((item, i) => (
        <>
          {i > 0 && ", "}
          <bdi safe>{`“${revealed(item)}”`}</bdi>
        </>
      ))}
    </>
  );
}

/** `1 Mar 2026, 12:00 UTC to 12:01 UTC`. */
const spanOf = ({ starts, ends }: BeaconRound): string =>
  `${starts.slice(17, 19) === "00" ? shortTime(starts) : `${shortTime(starts).slice(0, -10)} ${clockTime(starts)}`} to ${clockTime(ends)}`;

function Agreed({ base, view: { round, request, query, label } }: { base: string; view: RoundView }) {
  const number = String(round.round);
  const has_begun = round.now_round! >= round.round;
  const url = `${base}/beacon/${number}${query}`;
  return (
    <>
      <section class="stage" aria-label="The result">
        <div class="drawn">{request && isDie(request) ? <Die number={null} /> : <Coin face={null} />}</div>
        <Countdown what="The result comes at" ends={round.ends} />
        <p class="about">
          <a href={url} data-again>
            See the result
          </a>{" "}
          after that time.
        </p>
      </section>
      {has_begun && (
        <p class="fault">
          This round has begun already. Agree on <a href={`${base}/beacon#agree`}>a later one</a>: a toss is
          fair only if both agreed before its round began.
        </p>
      )}
      <h2>What is agreed</h2>
      <dl>
        <dt>Drawn is</dt>
        <dd>
          <What of={request} />
        </dd>
        <dt>Label</dt>
        <dd dir="auto" safe>
          {revealed(label || "none")}
        </dd>
        <dt>Round</dt>
        <dd safe>{`${number}, ${spanOf(round)}`}</dd>
      </dl>
      <p>Send this link to the other one before the round begins. Both of you will see the same result.</p>
      <CopyBox text={url} />
      <p>
        The value is fixed already: its commitment <span safe>{publishedOf(round)}</span>. Keep the
        commitment, and nobody can exchange the value.
      </p>
      <details>
        <summary>The commitment and its proof</summary>
        <Proof round={round} />
      </details>
    </>
  );
}

const publishedOf = ({ proof }: BeaconRound): string =>
  `was published on ${shortTime(proof.published)}, ${proof.precommitted ? "before" : "after"} the day of the round began`;

function Result({ base, view }: { base: string; view: RoundView }) {
  const { round, request, query, label } = view;
  const number = String(round.round);
  const seed = round.seed!;
  return (
    <>
      {label ? (
        <p class="lead" dir="auto" safe>
          {revealed(label)}
        </p>
      ) : (
        ""
      )}
      <section class="stage" aria-label="The result" data-round={number} data-query={query.slice(1)}>
        <Drawn view={view} />
        <p class="about" safe>
          {`Round ${number}, ${spanOf(round)}`}
        </p>
      </section>
      {query !== "" && (
        <p>
          {request ? (
            <>
              Drawn: <What of={request} />.{" "}
            </>
          ) : (
            ""
          )}
          It is fair if both agreed on this page before <span safe>{clockTime(round.starts)}</span>.
        </p>
      )}
      <h2>Check it</h2>
      <div id="checks" role="status">
        <p class="about">
          With scripts, your browser checks the seed, the proof, the signature and the draw here. The lines
          below need no browser.
        </p>
      </div>
      <details>
        <summary>In a shell, without this page</summary>
        <p>
          <code>wharf beacon verify</code> checks everything, with code that this page did not send:
        </p>
        <CopyBox text={verifyLine(base, number, query)} />
        <p>Two of the steps by hand, for the commitment and the value:</p>
        <CopyBox
          text={[
            `printf '%s' ${seed} | sha256sum`,
            ...(label ? [] : [`printf '%s:' ${seed} | sha256sum`]),
          ].join("\n")}
        />
        <p class="about">
          The operator of this service knows each value before its round ends. Do not toss against the
          operator.
        </p>
      </details>
      <details>
        <summary>Seed, value and proof</summary>
        <Proof round={round} />
      </details>
    </>
  );
}

const quotedForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const verifyLine = (base: string, number: string, query: string): string =>
  `wharf beacon verify ${number} --url ${base}${query ? ` --draw ${quotedForShell(query.slice(1))}` : ""}`;

/** The result, large. */
function Drawn({ view: { round, query, die } }: { view: RoundView }) {
  const { value, draw } = round;
  const { coin } = value!;
  if (draw?.kind === "int") {
    return (
      <figure class="drawn">
        {draw.from === 1 && draw.to === 6 && <Die number={draw.result} />}
        <figcaption data-outcome safe>
          {String(draw.result)}
        </figcaption>
      </figure>
    );
  }
  if (draw) {
    return (
      <ol class="outcome" data-outcome>
        {draw.result.map((item) => (
          <li>
            <bdi safe>{revealed(item)}</bdi>
          </li>
        ))}
      </ol>
    );
  }
  return (
    <div class="drawn">
      <figure>
        <Coin face={coin} />
        <figcaption data-outcome>{coin === "heads" ? "Heads" : "Tails"}</figcaption>
      </figure>
      {query === "" && (
        <figure>
          <Die number={die} />
          <figcaption safe>{String(die)}</figcaption>
        </figure>
      )}
    </div>
  );
}

function Proof({ round: { commit, seed, value, proof } }: { round: BeaconRound }) {
  const facts: Record<string, string> = {
    Commitment: commit,
    ...(seed !== null && { Seed: seed }),
    ...(value && { Value: value.hex, Number: String(value.float) }),
    Leaf: `${proof.index} of the ${proof.rounds} of ${proof.day}`,
    Published: `${proof.published}, ${proof.precommitted ? "before" : "after"} the day began`,
    Root: proof.root,
    Statement: proof.statement,
  };
  return (
    <dl class="hashes">
      {Object.entries(facts).map(([name, fact]) => (
        <>
          <dt safe>{name}</dt>
          <dd>
            <code safe>{fact}</code>
          </dd>
        </>
      ))}
    </dl>
  );
}
