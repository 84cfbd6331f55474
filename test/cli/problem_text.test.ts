/** What a shell says after a refusal: the command to run next, never an address. */

import { expect, test } from "bun:test";
import { hintsForEachPolicy, service_hints } from "../../src/app/general_hints.ts";
import { problemText } from "../../src/cli/problem_text.ts";
import type { Schemas } from "../../src/client/client.ts";
import { hintsFor } from "../../src/core/hints.ts";
import { useShell } from "../support/shell.ts";

const used = useShell();

const problemWith = (code: string, hint: string): Schemas["Problem"] => ({
  type: "http://localhost/problems/x",
  title: "Title",
  status: 400,
  detail: "Detail.",
  code,
  hint,
  retryable: false,
});

/** What a shell cannot use: an address, or a header. */
const of_http = /\b(?:GET|POST|PUT|PATCH|DELETE) \S*\/|\bx-wf-|\bx-meet-|Retry-After/;

const over_http = hintsFor("http", service_hints);

test.each(Object.keys(service_hints))("%s has no words of HTTP", async (key) => {
  const [code = ""] = key.split(".");
  expect(await problemText(problemWith(code, over_http[key] ?? ""))).not.toMatch(of_http);
});

test.each([null, "https://wharf.test/about", "owner@wharf.test"])(
  "names the command where names are not claimed by everybody (contact: %p)",
  async (contact) => {
    const [, of_invite, of_closed] = hintsForEachPolicy(contact).map((table) => hintsFor("http", table));
    const textOf = (code: string, hints = {} as Record<string, string>) =>
      problemText(problemWith(code, hints[code] ?? ""));
    const ending = contact === null ? "" : ` Contact: ${contact}`;
    const say_who = "Detail. Say who calls: --as NAME, whose key 'wharf login' saves.";
    expect(await textOf("credential_required", of_invite)).toBe(
      `${say_who} A name is claimed with an invitation of the operator: 'wharf name claim NAME --invite CODE'${ending}`,
    );
    expect(await textOf("invite_required", of_invite)).toBe(
      `Detail. 'wharf name claim NAME --invite CODE' claims it. The operator gives out invitations.${ending}`,
    );
    expect(await textOf("credential_required", of_closed)).toBe(
      `${say_who} No new names are claimed here.${ending}`,
    );
  },
);

test("a hint of another version is said without its sentences about HTTP", async () => {
  const hint = "Do this first. POST /api/that does it. Then go on.";
  expect(await problemText(problemWith("room_closed", hint))).toBe("Detail. Do this first. Then go on.");
});

test("names the command to run next", async () => {
  const { errors, status } = await used.shell.run("read", "nosuchroom");
  expect(status).toBe(3);
  expect(errors).toBe(
    "wharf: There is no room with that address. 'wharf rooms' lists the open public rooms. An unlisted room needs its whole address, a private one the key of a member: --as <name>. (room_not_found)\n",
  );
});

test("says which option is wrong", async () => {
  await used.shell.run("ask", "Which option?");
  const { errors, status } = await used.shell.run("say", "which-option", "This.", "--reply-to", "7");
  expect(status).toBe(3);
  expect(errors).toStartWith(
    "wharf: --reply-to is not the number of a post of this room, which has #1 to #1. ",
  );
});

test("names what 'beacon show' shows", async () => {
  const { errors, status } = await used.shell.run("beacon", "show", "7");
  expect(status).toBe(3);
  expect(errors).toContain("'wharf beacon show' names the last round that has ended. (round_not_found)");
});

test("says once what is wrong with a field", async () => {
  const { errors, status } = await used.shell.run("name", "claim", "Ünal!");
  expect(status).toBe(3);
  expect(errors).toBe(
    "wharf: name may hold letters, their marks, digits, space, dot, dash and underscore, and begins and ends with a letter or digit: look at 4. Correct it, and run the command again. (invalid_fields)\n",
  );
});
