/** The document at the `type` URL of a problem: explains the code, with a failing and a correct example. */

import type { ErrorDefinition } from "../core/error_definition.ts";
import { statusOf } from "../web/problems.ts";
import { heading, list, shell, text, type GuideDocument } from "./blocks.ts";
import { problemExample } from "./problem_examples.ts";

export function problemDocument(base: string, definition: ErrorDefinition): GuideDocument {
  const { code, title, explanation, retryable } = definition;
  const example = problemExample(base, code);
  return {
    title,
    description: explanation,
    blocks: [
      list([
        ["Code: ", { code }],
        `HTTP status: ${statusOf(definition)}`,
        retryable
          ? "Trying again: the same call may succeed later. Wait as long as Retry-After says."
          : "Trying again: the same call will fail again. Change it.",
      ]),
      ...(example
        ? [heading("Seen with", "seen"), text("The last of these lines is refused:"), shell(example.seen)]
        : []),
      ...(example?.instead ? [heading("Instead", "instead"), shell(example.instead)] : []),
      text("What fits and what does not: ", { text: "the API", href: `${base}/api` }, "."),
    ],
  };
}
