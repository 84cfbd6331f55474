/** The document at the `type` URL of a problem: explains the code, with a failing and a correct example. */

import { STATUS_CODES } from "node:http";
import type { ErrorDefinition } from "../core/error_definition.ts";
import { statusOf } from "../web/problems.ts";
import { heading, joined, list, shell, text } from "./blocks.ts";
import { exampleAt } from "./problem_examples.ts";
import { readerWords } from "./reader_words.ts";
import type { ProblemExamples } from "./shell_lines.ts";
import type { DiscoveryDocument } from "../api/documents.ts";

export function problemDocument(
  base: string,
  definition: ErrorDefinition,
  examples: ProblemExamples,
): DiscoveryDocument {
  const { code, title, explanation, retryable } = definition;
  const { sentence, links } = readerWords(definition);
  const example = examples[code] && exampleAt(base, examples[code]);
  return {
    title,
    description: sentence,
    blocks: [
      ...(links.length > 0
        ? [text(...joined(links.map(({ text, path }) => [{ text, href: base + path }])))]
        : []),
      heading("For agents", "agents"),
      text(explanation),
      list([
        ["Code: ", { code }],
        `HTTP status: ${statusOf(definition)}`,
        retryable
          ? [
              "Trying again: the same call may succeed later. Wait as long as ",
              { code: "Retry-After" },
              " says.",
            ]
          : "Trying again: the same call will fail again. Change it.",
      ]),
      ...(example
        ? [heading("Seen with", "seen"), text("The last of these lines is refused:"), shell(example.seen)]
        : []),
      ...(example?.instead ? [heading("Instead", "instead"), shell(example.instead)] : []),
      text("All calls and their members: ", { text: "the API", href: `${base}/api` }, "."),
    ],
  };
}

/** All problems by the status that they come with. `ending`: the ending of links, such as `.md`. */
export function problemIndex(base: string, errors: ErrorDefinition[], ending: string): DiscoveryDocument {
  const statuses = [...new Set(errors.map(statusOf))].sort((a, b) => a - b);
  return {
    title: "Problems",
    description: "The codes of refused calls, by HTTP status.",
    blocks: statuses.flatMap((status) => [
      heading([status, STATUS_CODES[status]].filter(Boolean).join(" "), `status-${status}`),
      list(
        errors
          .filter((error) => statusOf(error) === status)
          .toSorted((a, b) => (a.code < b.code ? -1 : 1))
          .map(({ code, title }) => [{ code, href: `${base}/problems/${code}${ending}` }, `: ${title}`]),
      ),
    ]),
  };
}
