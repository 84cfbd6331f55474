/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The result of a toss or a round, and how to check it. */

import { Html } from "@elysiajs/html";
import { Coin, Die, faceName } from "./beacon_parts.tsx";
import { Proof, Reasons, verifyLine } from "./beacon_proof.tsx";
import { About, Line, Own, What, type RoundView } from "./beacon_toss.tsx";
import { ClockTime, CopyBox } from "./components.tsx";
import { revealed } from "./text.ts";

export function Result({ base, view }: { base: string; view: RoundView }) {
  const { round, request, query, label } = view;
  const number = String(round.round);
  const seed = round.seed!;
  return (
    <>
      <About of={view.words} />
      <section class="stage" aria-label="The result" data-round={number} data-query={query.slice(1)}>
        <Drawn view={view} />
        <p class="about">
          Drawn on <ClockTime at={round.ends} is_long />, round <span safe>{number}</span>
        </p>
      </section>
      {query !== "" && (
        <p>
          {request ? (
            <>
              What is drawn: <What of={request} />.{" "}
            </>
          ) : (
            ""
          )}
          Fair only if both agreed on this page before <ClockTime at={round.starts} is_long />, when the round
          began.
        </p>
      )}
      <Own base={base} view={view} />
      <Line base={base} of={round} />
      <p>
        <a class="button" href={`${base}/beacon#agree`}>
          Toss your own
        </a>
      </p>
      <Reasons base={base} round={round} has_label={!!label} />
      <div id="checks"></div>
      <details>
        <summary>Check it in a shell, without this page</summary>
        <p safe>{`The formula: ${round.formula}.`}</p>
        <p>
          <code>wharf beacon verify</code> checks everything, with code that this page did not send:
        </p>
        <CopyBox text={verifyLine(base, number, query)} />
        <p>
          {label
            ? "One of the steps by hand, for the fingerprint:"
            : "Two of the steps by hand, for the fingerprint and the value:"}
        </p>
        <CopyBox
          text={[
            `printf '%s' ${seed} | sha256sum`,
            ...(label ? [] : [`printf '%s:' ${seed} | sha256sum`]),
          ].join("\n")}
        />
      </details>
      <details>
        <summary>The fingerprint, the number and their proof</summary>
        <Proof round={round} />
      </details>
    </>
  );
}

/** The result, large. */
function Drawn({ view: { round, query, die, words } }: { view: RoundView }) {
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
  const meaning = words[coin];
  return (
    <div class="drawn">
      <figure>
        <Coin face={coin} />
        <figcaption>
          <span data-outcome>{faceName(coin)}</span>
          {meaning ? (
            <bdi class="meaning" data-outcome safe>
              {revealed(meaning)}
            </bdi>
          ) : (
            ""
          )}
        </figcaption>
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
