/** Checks a round and its draw in this browser, and lists each step with its result. */

import { checkRound, type Round } from "../../src/verifier/round.ts";
import { revealed } from "../text.ts";
import { cannotCheck, serviceKeys, serviceUrl } from "./browser_keys.ts";

/** Checks the round `number` for the query of its page: says in `place` what was found, and lists the steps in `list`. */
export async function checkHere(
  place: HTMLElement,
  list: HTMLElement,
  number: string,
  query: string,
): Promise<void> {
  const say = (text: string) => (place.textContent = text);
  const reason = cannotCheck();
  if (reason) return void say(`${reason} The lines below do.`);
  say("This browser is checking …");
  try {
    const [keys, answer] = await Promise.all([serviceKeys(), readRound(number, query)]);
    const { checks, drawn } = await checkRound(answer, keys, Number(number), query);
    const holds = checks.all.every((check) => check.holds);
    const result = [drawn?.result ?? drawn?.coin ?? []].flat().map(String);
    say(
      holds
        ? sentenceOf(keys !== null, new URLSearchParams(query).has("label"), result)
        : "This browser has checked it. It does NOT hold: see the steps.",
    );
    place.classList.toggle("is-wrong", !holds);
    const lines = checks.all.map(({ what, holds, found }) =>
      lineOf(
        holds ? "holds" : "wrong",
        `${what[0]!.toUpperCase()}${what.slice(1)}${holds ? "" : `: ${found}`}`,
      ),
    );
    if (!keys)
      lines.push(lineOf("skipped", "The signature: this browser has no Ed25519. The lines below check it."));
    list.replaceChildren(foldedOf(lines, !holds));
  } catch (error) {
    say(`This browser could not check it: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const sentenceOf = (with_signature: boolean, has_label: boolean, result: string[]): string =>
  "This browser has just checked that the number has this fingerprint, that the " +
  `${with_signature ? "signed list has it" : "list has it (but not its signature)"}, and that the result follows from ` +
  `${has_label ? "the number and the label" : "the number"}. The result: ${revealed(result.join(", "))}.`;

function foldedOf(lines: HTMLLIElement[], is_open: boolean): HTMLDetailsElement {
  const folded = document.createElement("details");
  folded.open = is_open;
  const summary = document.createElement("summary");
  summary.textContent = `The ${lines.length} steps of the check`;
  const shown = document.createElement("ul");
  shown.className = "checks";
  shown.append(...lines);
  folded.append(summary, shown);
  return folded;
}

async function readRound(number: string, query: string): Promise<Round> {
  const address = serviceUrl(`api/beacon/${number}${query && `?${query}`}`);
  const response = await fetch(address, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`the round cannot be read: ${response.status}`);
  return (await response.json()) as Round;
}

function lineOf(result: string, text: string): HTMLLIElement {
  const line = document.createElement("li");
  const word = document.createElement("b");
  word.className = `is-${result}`;
  word.textContent = result;
  line.append(word, " ", text);
  return line;
}
