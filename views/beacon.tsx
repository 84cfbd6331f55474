/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of the beacon: its last value, when the next one comes, and a form to agree on a toss. */

import { Html } from "@elysiajs/html";
import type { BeaconOverview } from "../src/api/beacon/beacon.ts";
import { Coin, Countdown, Die, faceName, Notes, PublicResults } from "./beacon_parts.tsx";
import { OperatorKnows } from "./beacon_proof.tsx";
import { ClockTime, CopyBox, Field, Fault, inputOf, Note, Submit } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { attribute, clockTime, counted, day, notIssuedLine } from "./text.ts";
import type { Site } from "../src/api/pages.ts";
import type { TossForm } from "../src/api/beacon/pages.ts";

interface BeaconView {
  beacon: BeaconOverview;
  /** The die of the last value. */
  die: number | null;
  form: TossForm;
}

/** How long a round is. */
const lengthOf = ({ round_seconds }: BeaconOverview): string =>
  round_seconds === 60 ? "a minute" : counted(round_seconds, "second");

export async function beaconPage(site: Site, view: BeaconView): Promise<string> {
  const { base } = site;
  const { beacon, die } = view;
  return (
    <Layout
      {...site}
      section="/beacon"
      title="Coin"
      description="A public coin: a value that nobody can choose and everybody can check."
      scripts={["beacon.js"]}
      alternates={[
        { type: "application/json", href: `${base}/api/beacon` },
        { type: "text/markdown", href: `${base}/beacon.md` },
      ]}
    >
      <h1>A public coin</h1>
      <p class="lead">
        A coin whose result nobody can change and everybody can check. The public one is tossed once in{" "}
        <span safe>{lengthOf(beacon)}</span>; <a href="#agree">a toss of your own</a> has a label and its own
        result.
      </p>
      <Notes of={beacon} />
      <LastValue base={base} beacon={beacon} die={die} />
      <p class="unseen" role="status" id="said"></p>
      <Agree base={base} view={view} />
      <PublicResults />
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
              <figcaption>{faceName(last.value.coin)}</figcaption>
            </figure>
            <figure>
              <Die number={die} />
              <figcaption safe>{String(die)}</figcaption>
            </figure>
          </div>
          <p class="about">
            <a href={`${base}/beacon/${last.round}`}>
              The public toss of <ClockTime at={now.starts} />
            </a>
          </p>
        </>
      ) : (
        <div class="drawn">
          <Coin face={null} />
        </div>
      )}
      <Countdown what="The next one comes at" ends={now.ends} over="now" />
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
const about_label =
  "The label of the toss, such as: Who pays for lunch. Without one it would be the public toss, which everybody shares.";
const sides = [
  ["heads", "Heads means", "Ann pays"],
  ["tails", "Tails means", "Bob pays"],
] as const;

/** Which of the next rounds the form offers, by how many rounds they are ahead, if there is time to agree on them. */
const offered_rounds = [2, 3, 5, 10, 15, 30, 60];

function Agree({ base, view: { beacon, form } }: { base: string; view: BeaconView }) {
  const { refusal, draw = "coin" } = form;
  const about_round =
    `Both of you can agree until the round begins. The result comes ${lengthOf(beacon)} later. ` +
    "The first choice leaves at least half a minute to agree.";
  return (
    <section>
      <h2>Settle something with somebody</h2>
      <p>
        Two who do not trust each other can toss this coin: make a link, send it to the other one, and both
        open it. What you enter becomes part of the link and of the toss, so nobody can change it afterwards.
      </p>
      <form method="get" action={`${base}/beacon`} id="agree">
        <Fault text={form.toss === undefined ? refusal?.text : undefined} />
        <fieldset class="choices">
          <legend>What is drawn</legend>
          {kinds.map(([value, title]) => (
            <label>
              <input type="radio" name="draw" value={value} checked={value === draw} /> <span>{title}</span>
            </label>
          ))}
        </fieldset>
        <Field name="label" label="What is it about?" about={about_label} refusal={refusal}>
          <input
            {...inputOf({ name: "label", about: about_label, refusal })}
            maxlength="200"
            dir="auto"
            value={attribute(form.label ?? "")}
          />
        </Field>
        <div class="meanings row">
          {sides.map(([name, label, hint]) => (
            <Field name={name} label={label}>
              <input
                {...inputOf({ name })}
                maxlength={String(meaning_chars_max)}
                dir="auto"
                placeholder={hint}
                value={attribute(form[name] ?? "")}
              />
            </Field>
          ))}
        </div>
        <div class="options">
          <Field name="items" label="The options" about={about_items} refusal={refusal}>
            <textarea {...inputOf({ name: "items", about: about_items, refusal })} rows="3" dir="auto" safe>
              {form.items ?? ""}
            </textarea>
          </Field>
        </div>
        <Field name="round" label="When the result comes" about={about_round} refusal={refusal}>
          <select {...inputOf({ name: "round", about: about_round, refusal })} data-fresh>
            <option value="next">As soon as there is time to agree</option>
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
        <Submit text="Make the link" />
      </form>
      <OperatorKnows is_open />
      <Paste base={base} form={form} />
    </section>
  );
}

const about_toss = "The line that begins with the word toss, as the other side posted it.";

/** The form for somebody who has the line of a toss. */
const Paste = ({ base, form: { toss, refusal } }: { base: string; form: TossForm }) => (
  <form method="get" action={`${base}/beacon`} id="paste">
    <h3>Open a toss that somebody proposed</h3>
    {toss !== undefined && <Fault text={refusal?.text} />}
    <div class="row">
      <Field name="toss" label="Its line" about={about_toss} refusal={refusal}>
        <input
          {...inputOf({ name: "toss", about: about_toss, refusal })}
          required
          dir="auto"
          placeholder="toss 29539442-fda53a: Who begins?; heads: Ada; tails: Bob"
          value={attribute(toss ?? "")}
        />
      </Field>
      <button type="submit">Open</button>
    </div>
  </form>
);

function Option({ round: { round, starts }, ahead, beacon: { round_seconds }, is_chosen }: OptionProps) {
  const ends = new Date(Date.parse(starts) + round_seconds * 1000).toISOString();
  const seconds = (ahead + 1) * round_seconds;
  const left = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return (
    <option value={String(round)} selected={is_chosen} data-utc={ends} safe>
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
        {last ? (
          <>
            <p>
              This computes the fingerprint of the last round, <code safe>{last.commit}</code>:
            </p>
            <CopyBox text={`printf '%s' ${last.seed} | sha256sum`} />
          </>
        ) : (
          ""
        )}
      </details>
      <details>
        <summary>
          Fingerprints of this round and of the next <span safe>{String(shown_commits - 1)}</span>
        </summary>
        <dl class="hashes">
          {beacon.upcoming_commitments.slice(0, shown_commits).map(({ round, commit, starts }) => (
            <>
              <dt title={attribute(starts)} safe>
                {String(round)}
              </dt>
              <dd>
                <code safe>{commit}</code>
              </dd>
            </>
          ))}
        </dl>
        <p class="about">
          <a href={`${base}/api/beacon`}>All of the next hour</a>, and{" "}
          <a href={`${base}/api/beacon/days/${beacon.days.last}`}>the last day that is published</a>
          <span
            safe
          >{`. Fingerprints are published from ${day(beacon.days.first)} to ${day(beacon.days.last)}.`}</span>
        </p>
      </details>
      {(beacon.days.not_issued ?? []).map((gap) => (
        <Note text={notIssuedLine(gap)} />
      ))}
    </>
  );
}

const shown_commits = 10;
const meaning_chars_max = 60;
