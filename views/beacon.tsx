/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The pages of the beacon: its current state, and one round with the shell lines that check it. */

import { Html } from "@elysiajs/html";
import type { BeaconOverview, BeaconRound } from "../src/beacon/schema.ts";
import { Layout, type Site } from "./layout.tsx";
import { Note, Time } from "./components.tsx";
import { attribute, notIssuedLine, revealed } from "./text.ts";

export async function beaconPage({ base, navigation }: Site, beacon: BeaconOverview): Promise<string> {
  const { now, last_revealed } = beacon;
  return (
    <Layout
      frame={{
        title: "Beacon",
        description: "A public coin that two strangers can both check.",
        base,
        navigation,
        alternates: [
          { type: "application/json", href: `${base}/api/beacon` },
          { type: "text/markdown", href: `${base}/beacon.md` },
        ],
      }}
    >
      <h1>Beacon</h1>
      <Notes notes={beacon} />
      {beacon.clock === "held" && (
        <p class="fault" role="alert">
          The clocks of this service disagree: nothing new comes out until they agree.
        </p>
      )}
      <p>
        Round <b safe>{String(now.round)}</b> runs until <Time at={now.ends} />. A round lasts{" "}
        <span safe>{String(beacon.round_seconds)}</span> seconds; its seed comes out when it has ended; the
        commitment to it is public already.
      </p>
      {(beacon.days.not_issued ?? []).map((gap) => (
        <p safe>{notIssuedLine(gap)}</p>
      ))}
      {last_revealed !== null && (
        <>
          <h2>
            <a href={`${base}/beacon/${last_revealed.round}`}>
              Round <span safe>{String(last_revealed.round)}</span>
            </a>
            , the last that has passed
          </h2>
          <Facts
            facts={{
              Seed: last_revealed.seed,
              Commit: last_revealed.commit,
              Value: last_revealed.value.hex,
              Float: String(last_revealed.value.float),
              Coin: last_revealed.value.coin,
            }}
          />
          <Shell lines={[seedLine(last_revealed.seed)]} />
        </>
      )}
      <form method="get" action={`${base}/beacon`}>
        <h2>Look a round up</h2>
        <label for="round">Its number</label>
        <input id="round" name="round" inputmode="numeric" required value={String(now.round - 1)} />
        <label for="label">A label, for a draw of your own</label>
        <input id="label" name="label" maxlength="200" />
        <button type="submit">Look up</button>
      </form>
      <h2>How to use it, and how to check it</h2>
      <ul>
        {beacon.how.map((line) => (
          <li safe>{line}</li>
        ))}
      </ul>
      <h2>Commitments of this round and the next</h2>
      <ol class="hashes" start={now.round}>
        {beacon.upcoming_commitments.map(({ commit, starts }) => (
          <li>
            <code title={attribute(starts)} safe>
              {commit}
            </code>
          </li>
        ))}
      </ol>
    </Layout>
  );
}

export async function beaconRoundPage({ base, navigation }: Site, round: BeaconRound): Promise<string> {
  const { value, draw, proof, seed } = round;
  const number = String(round.round);
  return (
    <Layout
      frame={{
        title: `Round ${number}`,
        description: `Round ${number} of the beacon, with its proof.`,
        base,
        navigation,
        alternates: [
          { type: "text/markdown", href: `${base}/beacon/${number}.md` },
          { type: "application/json", href: `${base}/api/beacon/${number}` },
        ],
      }}
    >
      <h1 safe>{`Round ${number}`}</h1>
      <Notes notes={round} />
      <p class="about" safe>{`${round.starts} to ${round.ends}`}</p>
      <Facts
        facts={{
          Commit: round.commit,
          Seed: seed ?? "not out until the round has passed",
          ...(value && {
            Label: value.label === "" ? "none" : revealed(value.label),
            Value: value.hex,
            Float: String(value.float),
            Coin: value.coin,
          }),
          ...(draw && { Drawn: revealed(JSON.stringify(draw.result)) }),
          Leaf: `${proof.index} of the ${proof.rounds} of ${proof.day}`,
          Published: `${proof.published}, ${proof.precommitted ? "before" : "after"} the day began`,
          Root: proof.root,
          Statement: proof.statement,
        }}
      />
      <h2>Check it</h2>
      {seed !== null && <Shell lines={[seedLine(seed), ...(value?.label === "" ? [drawLine(seed)] : [])]} />}
      <Shell lines={[`wharf beacon verify ${number} --url ${base}`]} />
    </Layout>
  );
}

const seedLine = (seed: string): string => `printf '%s' ${seed} | sha256sum   # the commit`;
const drawLine = (seed: string): string => `printf '%s:' ${seed} | sha256sum   # the value`;

function Notes({ notes }: { notes: { caveat: string; test_mode?: string } }) {
  return (
    <>
      <Note text={notes.caveat} />
      {notes.test_mode !== undefined && (
        <p class="fault" safe>
          {notes.test_mode}
        </p>
      )}
    </>
  );
}

function Facts({ facts }: { facts: Record<string, string> }) {
  return (
    <dl>
      {Object.entries(facts).map(([name, fact]) => (
        <>
          <dt safe>{name}</dt>
          <dd class="hashes" safe>
            {fact}
          </dd>
        </>
      ))}
    </dl>
  );
}

function Shell({ lines }: { lines: string[] }) {
  return (
    <pre>
      <code safe>{lines.join("\n")}</code>
    </pre>
  );
}
