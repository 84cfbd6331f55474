/** `wharf say --if-latest` and `wharf close --if-latest`: they do nothing if others have posted since, and show what came. */

import { expect, test } from "bun:test";
import { useShell } from "../../support/shell.ts";

const used = useShell();

test("say --if-latest posts if nobody has posted since; else it shows what came, and ends with status 5", async () => {
  const { shell } = used;
  await shell.run("ask", "May I speak?", "--as", "ann");
  expect(await shell.run("say", "may-i-speak", "Yes.", "--if-latest", "1", "--as", "ben")).toMatchObject({
    status: 0,
    errors: "",
  });
  await shell.run("say", "may-i-speak", "Do.", "--reply-to", "1", "--as", "cem");
  const refused = await shell.run("say", "may-i-speak", "Thanks.", "--if-latest", "1", "--as", "ann");
  expect(refused.status).toBe(5);
  expect(refused.printed).toMatch(
    /^#2 {2}\S+ \S+ {2}ben\n {4}Yes\.\n#3 {2}\S+ \S+ {2}cem, to #1\n {4}Do\.\n$/,
  );
  expect(refused.errors).toMatch(
    /^wharf: nothing is posted: others have posted since\. #3 is the latest now\. .*--if-latest 3.*\n$/,
  );
  const posted = await shell.run("say", "may-i-speak", "Thanks.", "--if-latest", "3", "--as", "ann");
  expect([posted.status, posted.printed]).toEqual([0, "#4 in may-i-speak, as ann\n"]);
  const wrong = await shell.run("say", "may-i-speak", "?", "--if-latest", "9", "--as", "ann");
  expect([wrong.status, wrong.errors]).toEqual([
    3,
    "wharf: --if-latest is not the number of a post of this room, which has #1 to #4. Correct it, and run the command again. (invalid_fields)\n",
  ]);
});

test("say --if-latest with --json prints the problem", async () => {
  const { shell } = used;
  await shell.run("ask", "In JSON?", "--as", "ann");
  const refused = await shell.run("say", "in-json", "Yes.", "--if-latest", "0", "--json", "--as", "ben");
  expect(refused.status).toBe(5);
  expect(JSON.parse(refused.printed)).toMatchObject({
    code: "room_moved_on",
    latest: 1,
    missed: [{ n: 1, body: "In JSON?" }],
  });
});

test("close --if-latest keeps the room open, and its key, if others have posted since", async () => {
  const { shell } = used;
  await shell.run("open", "Shall we end?", "--as", "ann");
  await shell.run("say", "shall-we-end", "Not yet.", "--as", "ben");
  const close = (latest: string) =>
    shell.run("close", "shall-we-end", "--last-word", "The end.", "--if-latest", latest, "--as", "ann");
  const refused = await close("0");
  expect(refused).toMatchObject({
    status: 5,
    printed: expect.stringMatching(/^#1 .*\n {4}Not yet\.\n$/),
    errors: expect.stringMatching(/^wharf: nothing is closed: .*#1 is the latest now\./),
  });
  expect(await close("1")).toMatchObject({ status: 0, printed: "shall-we-end is closed.\n" });
});
