/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of the beacon: its last value, when the next one comes, and a form to agree on a toss. */

import { Html } from "@elysiajs/html";
import type { BeaconOverview } from "../src/beacon/schema.ts";
import { Coin, Countdown, Die, Notes } from "./beacon_parts.tsx";
import { CopyBox, Field, Fault, inputOf, Note, type Refusal } from "./components.tsx";
import { Layout, type Site } from "./layout.tsx";
import { attribute, clockTime, counted, notIssuedLine } from "./text.ts";

/** What a form for a toss was sent with. */
export interface TossForm {
  draw?: string | undefined;
  items?: string | undefined;
  label?: string | undefined;
  round?: string | undefined;
  refusal?: Refusal;
}

export interface BeaconView {
  beacon: BeaconOverview;
  /** The die of the last value. */
  die: number | null;
  form: TossForm;
}

export async function beaconPage(site: Site, { beacon, die, form }: BeaconView): Promise<string> {
  const { base } = site;
  const every = beacon.round_seconds === 60 ? "minute" : counted(beacon.round_seconds, "second");
  return (
    <Layout
      frame={{
        ...site,
        title: "Beacon",
        description: "A public coin: a value that nobody can choose and everybody can check.",
        scripts: ["beacon.js"],
        alternates: [
          { type: "application/json", href: `${base}/api/beacon` },
          { type: "text/markdown", href: `${base}/beacon.md` },
        ],
      }}
    >
      <h1>A public coin</h1>
      <p class="lead">
        One value every <span safe>{every}</span>. It is fixed in advance, the same for everybody, and you can
        check both.
      </p>
      <Notes of={beacon} />
      <LastValue base={base} beacon={beacon} die={die} />
      <p class="unseen" role="status" id="said"></p>
      <Agree base={base} beacon={beacon} form={form} />
      <Note text={beacon.caveat} />
      <Details base={base} beacon={beacon} />
    </Layout>
  );
}

function LastValue({ base, beacon: { last_revealed: last, now }, die }: ValueProps) {
  return (
    <section class="stage" id="now" data-fresh aria-label="The last value">
      {last ? (
        <>
          <div class="drawn">
            <figure>
              <Coin face={last.value.coin} />
              <figcaption>{last.value.coin === "heads" ? "Heads" : "Tails"}</figcaption>
            </figure>
            <figure>
              <Die number={die} />
              <figcaption safe>{String(die)}</figcaption>
            </figure>
          </div>
          <p class="about">
            <a href={`${base}/beacon/${last.round}`}>
              Round <span safe>{String(last.round)}</span>
            </a>
            <span safe>{`, ${clockTime(now.starts)}`}</span>
          </p>
        </>
      ) : (
        <div class="drawn">
          <Coin face={null} />
        </div>
      )}
      <Countdown what="The next value comes at" ends={now.ends} />
    </section>
  );
}
interface ValueProps {
  base: string;
  beacon: BeaconOverview;
  die: number | null;
}

const kinds = [
  ["coin", "A coin"],
  ["die", "A die"],
  ["pick", "One of several"],
  ["shuffle", "An order"],
] as const;
const about_items = "One a line, or with commas between.";
const about_label = "What it is about, such as lunch. Each label is another toss of the same round.";

/** Which of the next rounds can be agreed on: some of them, the first one two rounds ahead. */
const offered_rounds = [2, 3, 5, 10, 15, 30, 60];

function Agree({ base, beacon, form }: { base: string; beacon: BeaconOverview; form: TossForm }) {
  const { refusal, draw = "coin" } = form;
  return (
    <section>
      <h2>Settle something with somebody</h2>
      <p>
        Two who do not trust each other can toss this coin: agree on a round to come and on a label, then both
        press the same link.
      </p>
      <form method="get" action={`${base}/beacon`} id="agree">
        <Fault text={refusal?.text} />
        <fieldset class="choices">
          <legend>What is drawn</legend>
          {kinds.map(([value, title]) => (
            <label>
              <input type="radio" name="draw" value={value} checked={value === draw} /> <span>{title}</span>
            </label>
          ))}
        </fieldset>
        <div class="options">
          <Field name="items" label="The options" about={about_items} refusal={refusal}>
            <textarea {...inputOf({ name: "items", about: about_items, refusal })} rows="3" dir="auto" safe>
              {form.items ?? ""}
            </textarea>
          </Field>
        </div>
        <Field name="label" label="Label" about={about_label} refusal={refusal}>
          <input
            {...inputOf({ name: "label", about: about_label, refusal })}
            maxlength="200"
            dir="auto"
            value={attribute(form.label ?? "")}
          />
        </Field>
        <Field name="round" label="When the result comes">
          <select {...inputOf({ name: "round" })} data-fresh>
            {offered_rounds.map((ahead) => {
              const round = beacon.upcoming_commitments[ahead];
              return round ? (
                <Option
                  round={round}
                  ahead={ahead}
                  beacon={beacon}
                  is_chosen={String(round.round) === form.round}
                />
              ) : (
                ""
              );
            })}
          </select>
        </Field>
        <button class="main" type="submit">
          Make the link
        </button>
      </form>
    </section>
  );
}

function Option({ round: { round, starts }, ahead, beacon: { round_seconds }, is_chosen }: OptionProps) {
  const ends = new Date(Date.parse(starts) + round_seconds * 1000).toISOString();
  const seconds = (ahead + 1) * round_seconds;
  const left = seconds < 120 ? counted(seconds, "second") : counted(Math.round(seconds / 60), "minute");
  return (
    <option value={String(round)} selected={is_chosen} safe>
      {`${clockTime(ends)}, in up to ${left}`}
    </option>
  );
}
interface OptionProps {
  round: { round: number; starts: string };
  ahead: number;
  beacon: BeaconOverview;
  is_chosen: boolean;
}

function Details({ base, beacon }: { base: string; beacon: BeaconOverview }) {
  const { now, last_revealed: last } = beacon;
  return (
    <>
      <h2>More</h2>
      <details>
        <summary>Find a round</summary>
        <form method="get" action={`${base}/beacon`} class="row">
          <Field name="round" id="found-round" label="Its number">
            <input
              {...inputOf({ name: "round", id: "found-round" })}
              inputmode="numeric"
              required
              value={String(now.round - 1)}
            />
          </Field>
          <Field name="label" id="found-label" label="A label, if any">
            <input {...inputOf({ name: "label", id: "found-label" })} maxlength="200" dir="auto" />
          </Field>
          <button type="submit">Look up</button>
        </form>
      </details>
      <details>
        <summary>How it works, and how to check it by hand</summary>
        <ul>
          {beacon.how.map((line) => (
            <li safe>{line}</li>
          ))}
        </ul>
        {last ? <CopyBox text={`printf '%s' ${last.seed} | sha256sum   # ${last.commit}`} /> : ""}
      </details>
      <details>
        <summary>
          Commitments: this round and the next <span safe>{String(shown_commits - 1)}</span>
        </summary>
        <ol class="hashes" start={now.round}>
          {beacon.upcoming_commitments.slice(0, shown_commits).map(({ commit, starts }) => (
            <li>
              <code title={attribute(starts)} safe>
                {commit}
              </code>
            </li>
          ))}
        </ol>
        <p class="about">
          <a href={`${base}/api/beacon`}>All of the next hour</a>, and{" "}
          <a href={`${base}/api/beacon/days/${beacon.days.last}`}>the last day that is published</a>
          <span safe>{`. Commitments are published from ${beacon.days.first} to ${beacon.days.last}.`}</span>
        </p>
      </details>
      {(beacon.days.not_issued ?? []).map((gap) => (
        <Note text={notIssuedLine(gap)} />
      ))}
    </>
  );
}

const shown_commits = 10;
