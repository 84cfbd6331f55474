/** Checks a round and its draw in this browser, and lists each step with its result. */

import { checkRound, type Round } from "../../src/verifier/round.ts";
import { revealed } from "../text.ts";
import { cannotCheck, serviceKeys } from "./browser_keys.ts";

/** Fills `list` with the checks of the round `number` for the query of its page. */
export async function checkHere(list: HTMLElement, number: string, query: string): Promise<void> {
  const reason = cannotCheck();
  if (reason) return say(list, `${reason} The lines below do.`);
  say(list, "This browser is checking …");
  try {
    const [keys, answer] = await Promise.all([serviceKeys(), readRound(number, query)]);
    const { checks, drawn } = await checkRound(answer, keys, Number(number), query);
    const holds = checks.all.every((check) => check.holds);
    say(
      list,
      holds
        ? "This browser has checked it, and everything holds:"
        : "This browser has checked it. It does NOT hold:",
    );
    const lines = checks.all.map(({ what, holds, found }) =>
      lineOf(
        holds ? "holds" : "wrong",
        `${what[0]!.toUpperCase()}${what.slice(1)}${holds ? "" : `: ${found}`}`,
      ),
    );
    const result = drawn?.result ?? drawn?.coin;
    if (result !== undefined)
      lines.push(lineOf("result", `Drawn again here: ${revealed([result].flat().join(", "))}`));
    if (!keys)
      lines.push(lineOf("skipped", "The signature: this browser has no Ed25519. The lines below check it."));
    const shown = document.createElement("ul");
    shown.className = "checks";
    shown.append(...lines);
    list.append(shown);
  } catch (error) {
    say(list, `This browser could not check it: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function readRound(number: string, query: string): Promise<Round> {
  const address = new URL(`/api/beacon/${number}${query && `?${query}`}`, location.href);
  const response = await fetch(address, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`the round cannot be read: ${response.status}`);
  return (await response.json()) as Round;
}

function say(list: HTMLElement, text: string): void {
  const line = document.createElement("p");
  line.textContent = text;
  list.replaceChildren(line);
}

function lineOf(result: string, text: string): HTMLLIElement {
  const line = document.createElement("li");
  const word = document.createElement("b");
  word.className = `is-${result}`;
  word.textContent = result;
  line.append(word, " ", text);
  return line;
}
