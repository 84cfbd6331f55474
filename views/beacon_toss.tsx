/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of a toss until its round has ended, and the parts of it that are shown afterwards, too. */

import { Html } from "@elysiajs/html";
import type { BeaconRound } from "../src/api/beacon/beacon.ts";
import { Coin, Countdown, Die, faceName } from "./beacon_parts.tsx";
import { Proof, Reasons } from "./beacon_proof.tsx";
import { ClockTime, CopyBox } from "./components.tsx";
import { attribute, clockTime, revealed } from "./text.ts";
import type { DrawRequest, TossWords } from "../src/api/beacon/pages.ts";

export interface RoundView {
  round: BeaconRound;
  /** The label and the draw in the address. */
  label: string | undefined;
  words: TossWords;
  request: DrawRequest | null;
  /** The query of the page, with its `?`; empty if there is none. */
  query: string;
  /** The die of the round under the label; null before its end. */
  die: number | null;
  /** The coin of the round without a label; null before its end. */
  public_coin: "heads" | "tails" | null;
}

export const isDie = (request: DrawRequest): boolean =>
  request.kind === "int" && request.from === 1 && request.to === 6;

/** The kind of the draw, in a few words. */
export function What({ of: request }: { of: DrawRequest | null }) {
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
          {i > 0 && ", "}“<bdi safe>{revealed(item)}</bdi>”
        </>
      ))}
    </>
  );
}

/** What a toss is about. */
export const About = ({ of: { about } }: { of: TossWords }) =>
  about ? (
    <p class="lead" dir="auto" safe>
      {revealed(about)}
    </p>
  ) : (
    ""
  );

/** What heads and tails mean, if the label says so. */
const Sides = ({ of: { heads, tails } }: { of: TossWords }) =>
  heads || tails ? (
    <dl class="sides">
      {heads ? <Side title="Heads" means={heads} /> : ""}
      {tails ? <Side title="Tails" means={tails} /> : ""}
    </dl>
  ) : (
    ""
  );

const Side = ({ title, means }: { title: "Heads" | "Tails"; means: string }) => (
  <div>
    <dt>{title}</dt>
    <dd dir="auto" safe>
      {revealed(means)}
    </dd>
  </div>
);

/**
 * A label, or the line of a toss, in which what a side means is isolated as it is beside the coin: of letters that are written
 * from the right, all three show the same words in the same order.
 */
const Isolated = ({ text }: { text: string }) => (
  <>
    {revealed(text)
      .split(/(?<=\b(?:heads|tails):\s*)(?=\S)|(?=;)/i)
      .map((part, i, parts) =>
        /\b(?:heads|tails):\s*$/i.test(parts[i - 1] ?? "") ? (
          <bdi safe>{part}</bdi>
        ) : (
          (Html.escapeHtml(part) as "safe")
        ),
      )}
  </>
);

/** Why this toss and others of the same round differ. */
export function Own({
  base,
  view: { round, request, label, public_coin },
}: {
  base: string;
  view: RoundView;
}) {
  const minute = round.round_seconds === 60 ? "minute" : "round";
  if (!label && !request) {
    return (
      <p>
        This is the toss without a label, the same for everybody.{" "}
        <b>A toss with a label has its own result</b> in the same {minute}.
      </p>
    );
  }
  if (!label) {
    return (
      <p>This draw has no label: everybody who draws the same from this {minute} gets the same result.</p>
    );
  }
  return (
    <p>
      <b>This label has its own toss:</b> “
      <bdi>
        <Isolated text={label} />
      </bdi>
      ”. Other words give another result in the same {minute}, so nobody can change them once you agree.
      Without a label it is <a href={`${base}/beacon/${round.round}`}>the public toss</a>
      {public_coin && !request ? (
        <>
          , which shows <b>{faceName(public_coin)}</b>
        </>
      ) : (
        ""
      )}
      .
    </p>
  );
}

export function Agreed({ base, view }: { base: string; view: RoundView }) {
  const { round, request, query } = view;
  const url = `${base}/beacon/${round.round}${query}`;
  const has_begun = round.now_round! >= round.round;
  return (
    <>
      <About of={view.words} />
      <section class="stage" aria-label="The result">
        {(!request || isDie(request)) && (
          <div class="drawn">{request ? <Die number={null} /> : <Coin face={null} />}</div>
        )}
        <Sides of={view.words} />
        {has_begun ? <Begun base={base} round={round} /> : <Deadline round={round} />}
        <p class="about">
          <a href={url} data-again>
            See the result
          </a>{" "}
          after that time (round <span safe>{String(round.round)}</span>).
        </p>
      </section>
      {request ? (
        <p>
          What is drawn: <What of={request} />.
        </p>
      ) : (
        ""
      )}
      {!has_begun && <Send url={url} view={view} />}
      <Line base={base} of={round} />
      <Own base={base} view={view} />
      <Reasons base={base} round={round} has_label={!!view.label} has_begun={has_begun} />
      <details>
        <summary>The fingerprint and its proof</summary>
        <CopyBox text={round.commit} />
        <Proof round={round} />
      </details>
    </>
  );
}

/** Until when both can agree: the round's begin. */
function Deadline({ round: { round, now_round, round_seconds, starts, ends } }: { round: BeaconRound }) {
  const is_far = (round - now_round!) * round_seconds > 6 * 3_600;
  return (
    <>
      <Countdown
        what="Agree before"
        ends={starts}
        over="The round begins: too late to agree on it."
        is_large
        is_long={is_far}
      />
      <p>
        The result comes at <ClockTime at={ends} />.
      </p>
    </>
  );
}

const Begun = ({ base, round: { starts, ends } }: { base: string; round: BeaconRound }) => (
  <>
    <p class="over">
      Began at <ClockTime at={starts} />: too late to agree on it.
    </p>
    <Countdown what="If both of you agreed before, the result comes at" ends={ends} over="now" />
    <p>
      If not, <a href={`${base}/beacon#agree`}>agree on a later one</a>.
    </p>
  </>
);

/** The toss in one line, for those who do not open the page. */
export const Line = ({ base, of: { toss } }: { base: string; of: BeaconRound }) =>
  toss === undefined ? (
    ""
  ) : (
    <>
      <p>
        The whole toss in one line. Send it to an agent, or <a href={`${base}/beacon#paste`}>paste it</a>, to
        get the same toss:
      </p>
      {/* A `CopyBox`, but for the isolated words. */}
      <div class="copy">
        <pre tabindex="0">
          <code>
            <Isolated text={toss} />
          </code>
        </pre>
        <button type="button" data-copy>
          Copy
        </button>
      </div>
    </>
  );

function Send({ url, view: { round, label } }: { url: string; view: RoundView }) {
  const text = [
    ...(label ? [`${revealed(label)}.`] : []),
    `Agree before ${clockTime(round.starts)}; the result comes at ${clockTime(round.ends)}.`,
    `Fingerprint: ${round.commit}`,
  ];
  return (
    <>
      <h2>Send this to the other one</h2>
      <p>
        Behind the link both of you see this page, and then the same result. The fingerprint in your chat
        proves afterwards that nobody has changed the number.
      </p>
      <CopyBox text={`${url}\nFingerprint: ${round.commit}`} />
      <p>
        <button
          class="main"
          type="button"
          hidden
          data-share={attribute(url)}
          data-text={attribute(text.join(" "))}
        >
          Share the link and the fingerprint
        </button>
      </p>
    </>
  );
}
