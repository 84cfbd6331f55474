/** What commands of the client say when there is nothing, and beside what they print: on standard error, so that scripts read answers alone. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { payloadOf } from "../../support/jobs.ts";
import { useShell } from "../../support/shell.ts";

const used = useShell();

test.each([
  ["rooms", "no room is open."],
  ["rooms --closed", "no room is closed."],
  ["rooms --search nowhere", "no room has these words."],
  ["jobs ls", "no job is open."],
  ["jobs ls --state delivered", "no job is delivered."],
  ["jobs ls --tag prose", "no job that is open is found by that."],
])("wharf %s says that there is nothing", async (line, said) => {
  const words = line.split(" ");
  const { shell } = used;
  expect(await shell.run(...words)).toEqual({ printed: "", errors: `wharf: ${said}\n`, status: 0 });
  expect(await shell.run(...words, "--json")).toEqual({ printed: "", errors: "", status: 0 });
});

test("an empty locker and an empty mailbox say so", async () => {
  const { shell } = used;
  await shell.run("name", "claim", "Ada");
  for (const [line, said] of [
    ["locker ls", "the locker of Ada is empty."],
    ["inbox", "no note is unread."],
    ["inbox --since 0", "no note came after 0."],
  ] as const) {
    const words = line.split(" ");
    expect(await shell.run(...words)).toEqual({ printed: "", errors: `wharf: ${said}\n`, status: 0 });
    expect(await shell.run(...words, "--json")).toEqual({ printed: "", errors: "", status: 0 });
  }
});

test("a wait in vain ends with status 4, and says that the post is stored", async () => {
  const { shell } = used;
  const opened = await shell.run("ask", "Who is there?", "--wait", "1");
  expect(opened).toMatchObject({ printed: expect.stringMatching(/^who-is-there {2}http\S+\n$/), status: 4 });
  expect(opened.errors).toBe("wharf: nobody answered in 1 s. Your post #1 in who-is-there is stored.\n");
  const said = await shell.run("say", "who-is-there", "Anybody?", "--wait", "1");
  expect([said.printed, said.status]).toEqual(["#2 in who-is-there, as Ada *\n", 4]);
  expect(said.errors).toBe("wharf: nobody answered in 1 s. Your post #2 in who-is-there is stored.\n");
  const as_json = await shell.run("say", "who-is-there", "Hello?", "--wait", "1", "--json");
  expect([JSON.parse(as_json.printed), as_json.errors, as_json.status]).toEqual([
    expect.objectContaining({ n: 3 }),
    "",
    4,
  ]);
  const waited = await shell.run("inbox", "--wait", "1");
  expect(waited).toEqual({ printed: "", errors: "wharf: no note came in 1 s.\n", status: 4 });
});

test("read shows the goal of the room, unless it continues after a post", async () => {
  const { shell } = used;
  await shell.run("open", "Plan the picnic");
  const empty = await shell.run("read", "plan-the-picnic");
  expect(empty).toEqual({
    printed: "plan-the-picnic  0 posts\n    Plan the picnic\n",
    errors: "wharf: the room has no posts.\n",
    status: 0,
  });
  await shell.run("say", "plan-the-picnic", "Where?");
  const goal = /^plan-the-picnic {2}1 post, last .+\n {4}Plan the picnic\n#1 {2}.+\n {4}Where\?\n$/;
  expect((await shell.run("read", "plan-the-picnic")).printed).toMatch(goal);
  expect((await shell.run("read", "plan-the-picnic", "--since", "0")).printed).toMatch(goal);
  const after = await shell.run("read", "plan-the-picnic", "--since", "1");
  expect(after).toEqual({ printed: "", errors: "wharf: no post came after 1.\n", status: 0 });
  const lines = (await shell.run("read", "plan-the-picnic", "--json")).printed.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ n: 1 })]);
  await shell.run("close", "plan-the-picnic");
  expect((await shell.run("read", "plan-the-picnic")).printed).toStartWith(
    "plan-the-picnic  closed, 1 post,",
  );
});

test("jobs show shows the deliverer the receipt of the review", async () => {
  const { shell } = used;
  await shell.run("name", "claim", "Bob");
  const { id } = JSON.parse(
    (await shell.run("jobs", "post", "Count", "The words.", "--as", "Ada", "--json")).printed,
  ) as { id: string };
  await shell.run("jobs", "claim", id);
  await shell.run("jobs", "deliver", id, "52.");
  const reviewed = await shell.run("jobs", "review", id, "accepted", "--as", "Ada");
  const [, receipt] = /^\S+ is accepted\. The deliverer's receipt:\n(\S+)\n$/.exec(reviewed.printed) ?? [];
  expect(payloadOf(receipt!)).toMatchObject({ act: "job.accept" });
  const lines = `\nthe receipt of the review:\n${receipt}\n`;
  expect((await shell.run("jobs", "show", id)).printed).toEndWith(lines);
  const as_json = (await shell.run("jobs", "show", id, "--json")).printed;
  expect((JSON.parse(as_json) as { review: object }).review).toMatchObject({ verdict: "accepted", receipt });
  // It is the deliverer's, whose mailbox has it.
  expect((await shell.run("jobs", "show", id, "--as", "Ada")).printed).not.toContain(receipt!);
});

test("jobs show and inbox work after the mailbox was cleared", async () => {
  const { shell, service } = used;
  const { key } = JSON.parse((await shell.run("name", "claim", "Cleo", "--json")).printed) as { key: string };
  await shell.run("jobs", "post", "A job", "To do.", "--as", "Ada");
  const done = async (): Promise<{ id: string; receipt: string }> => {
    const posted = await shell.run("jobs", "post", "Count again", "Them.", "--as", "Ada", "--json");
    const { id } = JSON.parse(posted.printed) as { id: string };
    await shell.run("jobs", "claim", id, "--as", "Cleo");
    await shell.run("jobs", "deliver", id, "52.", "--as", "Cleo");
    const reviewed = await shell.run("jobs", "review", id, "accepted", "--as", "Ada", "--json");
    return { id, receipt: (JSON.parse(reviewed.printed) as { receipt: string }).receipt };
  };
  const show = async (id: string) => {
    const { printed, errors, status } = await shell.run("jobs", "show", id, "--as", "Cleo");
    return { errors, status, receipt: /\nthe receipt of the review:\n(\S+)\n$/.exec(printed)?.[1] };
  };
  const first = await done();
  const headers = { "x-wf-name": "Cleo", "x-wf-key": key };
  expect((await fetch(`${service.url}/api/mailbox`, { method: "DELETE", headers })).status).toBe(200);
  expect(await show(first.id)).toEqual({ errors: "", status: 0, receipt: undefined });
  expect(await shell.run("inbox", "--as", "Cleo")).toEqual({
    printed: "",
    errors: "wharf: no note is unread.\n",
    status: 0,
  });
  // A position that the caller chose is refused, as over HTTP.
  expect((await shell.run("inbox", "--since", "0", "--as", "Cleo")).errors).toEndWith("(notes_pruned)\n");
  const second = await done();
  expect(await show(second.id)).toEqual({ errors: "", status: 0, receipt: second.receipt });
  expect((await shell.run("inbox", "--as", "Cleo")).printed).toContain("accepted");
});

test("jobs show shows the job although the mailbox cannot be read", async () => {
  const { shell, service } = used;
  const { jobs } = (await (await fetch(`${service.url}/api/jobs?state=delivered`)).json()) as {
    jobs: { id: string; delivered_by: string }[];
  };
  const { id } = jobs.find(({ delivered_by }) => delivered_by === "Cleo")!;
  const { key } = JSON.parse((await shell.run("name", "rotate", "--as", "Cleo", "--json")).printed) as {
    key: string;
  };
  using without_mailboxes = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/api/mailbox") return new Response("Gone.", { status: 410 });
      return fetch(new Request(service.url + pathname, request));
    },
  });
  const url = without_mailboxes.url.origin;
  expect((await shell.run("login", "--url", url, "--as", "Cleo", "--key", key)).status).toBe(0);
  const shown = await shell.run("jobs", "show", id, "--as", "Cleo", "--url", url);
  expect([shown.errors, shown.status]).toEqual(["", 0]);
  expect(shown.printed).toContain("accepted:");
});

test("receipt keys escapes what a foreign service writes into its keys", async () => {
  const { shell, service } = used;
  const set = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as { keys: object[] };
  const hostile = "\u009b2J\u202egnp.\u2028\u001b[2J";
  using foreign = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(JSON.stringify({ keys: [{ ...set.keys[0], note: hostile }], note: hostile })),
  });
  const url = ["--url", foreign.url.origin];
  const { printed, status } = await shell.run("receipt", "keys", ...url);
  await shell.run("receipt", "keys", "--save", "foreign.json", ...url);
  for (const text of [printed, readFileSync(join(shell.directory, "foreign.json"), "utf8")]) {
    expect(text).toMatch(/^[ -~]+\n$/);
    expect(JSON.parse(text)).toMatchObject({ keys: [set.keys[0]!] });
  }
  expect(status).toBe(0);
});

test("a job is given by its address too, and an accepted one says who delivered it", async () => {
  const { shell } = used;
  await shell.run("name", "claim", "Dora");
  const posted = await shell.run("jobs", "post", "Weigh", "The anchor.", "--as", "Ada");
  const [id, address] = posted.printed.trim().split("  ") as [string, string];
  expect(address).toEndWith(`/jobs/${id}`);
  for (const words of [
    ["claim", address],
    ["deliver", address, "Two tons."],
    ["review", address, "accepted", "--reason", "It is heavy.", "--as", "Ada"],
  ]) {
    expect(await shell.run("jobs", ...words)).toMatchObject({ status: 0, errors: "" });
  }
  const shown = await shell.run("jobs", "show", address);
  expect(shown.printed).toStartWith(`${id}  accepted, delivered by Dora, from Ada\n`);
  // The note of the review has the reason.
  const { printed } = await shell.run("inbox");
  expect(printed).toEndWith("    Weigh\n    Two tons.\n  reason:\n    It is heavy.\n");
});

test("receipt keys saves the public keys, and receipt verify checks with that file alone", async () => {
  const { shell, service } = used;
  const answer = await shell.run("open", "Keep this", "--json");
  const receipt = (JSON.parse(answer.printed) as { receipt: string }).receipt;
  const saved = await shell.run("receipt", "keys", "--save", "kept.json");
  expect(saved).toEqual({
    printed: expect.stringContaining("'wharf receipt verify FILE --keys kept.json' checks receipts with it."),
    errors: "",
    status: 0,
  });
  const text = await (await fetch(`${service.url}/.well-known/jwks.json`)).text();
  expect(readFileSync(join(shell.directory, "kept.json"), "utf8")).toBe(`${text.trimEnd()}\n`);
  await Bun.write(join(shell.directory, "receipt.txt"), receipt);
  const verified = await shell.run("receipt", "verify", "receipt.txt", "--keys", "kept.json");
  expect([verified.status, verified.errors]).toEqual([0, ""]);
  // Again is no change; a file with another key is not replaced.
  expect((await shell.run("receipt", "keys", "--save", "kept.json")).status).toBe(0);
  const other = { keys: [{ ...JSON.parse(text).keys[0], kid: "other", x: "A".repeat(43) }] };
  await Bun.write(join(shell.directory, "other.json"), JSON.stringify(other));
  const refused = await shell.run("receipt", "keys", "--save", "other.json");
  expect(refused.status).toBe(1);
  expect(refused.errors).toContain("other.json has a key that");
  expect(JSON.parse(readFileSync(join(shell.directory, "other.json"), "utf8"))).toEqual(other);
  // Without a file they are printed.
  expect((await shell.run("receipt", "keys")).printed.trimEnd()).toBe(text.trimEnd());
});

test("a wait that the service ends with an error says that the post is stored", async () => {
  const { shell, service } = used;
  // Another service that posts as the first does, and has no streams.
  const without_streams = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/stream")) return Response.json(gone, { status: 410, headers: problem_type });
      return fetch(new Request(service.url + pathname, request));
    },
  });
  const problem_type = { "content-type": "application/problem+json" };
  const gone = {
    type: "about:blank",
    title: "Gone",
    status: 410,
    code: "room_deleted",
    detail: "Gone.",
    retryable: false,
  };
  await shell.run("open", "Gone soon");
  const url = ["--url", without_streams.url.origin];
  const { status, errors } = await shell.run("say", "gone-soon", "Here.", "--wait", "20", ...url);
  expect(status).toBe(3);
  expect(errors).toStartWith("wharf: the wait failed. Your post #1 in gone-soon is stored.\nwharf: ");
  await without_streams.stop(true);
});
