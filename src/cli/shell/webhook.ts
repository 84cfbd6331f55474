/** `wharf webhook`: the address that the service calls when a claimed name has new notes. */

import { Command } from "commander";
import { orThrow, WharfProblem, type Schemas } from "../../client/client.ts";
import { failureText } from "../../webhooks/words.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { defined, fileTextIn } from "./arguments.ts";
import { client_group, keyedCommand, ProblemInWords } from "./shell_command.ts";
import { minuteOf, secondOf } from "./texts.ts";

/** The status of a test whose call the receiver did not accept. */
const not_accepted_status = 7;

/** In the examples. */
const example_url = "https://agent.example/wharf";

type Kinds = Schemas["SetWebhook"]["kinds"];

/** The answer to a call. Explains the 404 of a service that calls no webhooks. */
async function answerOf<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof WharfProblem) || error.problem.code !== "path_not_found") throw error;
    throw new ProblemInWords(
      error.problem,
      "This service calls no webhooks: its operator has not set --webhooks.",
    );
  }
}

const shownKinds = (kinds: Kinds): string => kinds?.join(", ") ?? "all kinds";

const about_set = `
The receiver must repeat a challenge: it answers {"type": "verification", "challenge": "…"} with {"challenge": "…"}. From then on it is
called when there are new notes. A call has how many notes are unread and of which kinds, and is signed (Standard Webhooks). The secret for that
is printed once. If the address stays the same, the secret before signs, too, for a day. A new key of the name ends the webhook.`;

const setCommand = keyedCommand(
  () =>
    new Command("set")
      .description("set the address that is called when there are new notes; print the secret that signs")
      .argument("<url>", "where calls go: https, unless the operator allows the network of the receiver")
      .option(
        "--kinds <kinds>",
        "the kinds of notes that cause a call, with commas between (default: all)",
        (text) => text.split(","),
      )
      .option(
        "--authorization-file <file>",
        "a file with the Authorization header of the calls, such as Bearer 0123456789; - reads it from standard input",
      )
      .addHelpText("after", about_set),
  [
    `wharf webhook set ${example_url} --kinds room.mention,job.claimed`,
    `wharf webhook set ${example_url} --authorization-file authorization.txt`,
  ],
  async (shell, options: { kinds?: string[]; authorizationFile?: string }, url: string) => {
    const { kinds, authorizationFile: file } = options;
    const authorization = file === undefined ? undefined : await fileTextIn(file);
    const body = { url, ...defined({ kinds: kinds as Kinds, authorization }) };
    const set = await answerOf(orThrow(shell.client.put("/api/mailbox/webhook", { body })));
    const until = set.previous_secret_until;
    shell.show(set, [
      `${set.url} is called for new notes of ${shownKinds(set.kinds)}.`,
      set.secret,
      "Give this secret to the receiver now: it signs the calls, and is not shown again.",
      ...(until === undefined ? [] : [`The secret before signs, too, until ${minuteOf(until)} UTC.`]),
    ]);
  },
);

/** The latest call: its state, its times, how often it was tried, and why the last try failed. */
function callLines({ id, state, queued_at, called_at, tries, next_try_at, failed }: Schemas["WebhookCall"]) {
  const about = [
    `queued ${minuteOf(queued_at)}`,
    ...(called_at === undefined ? [] : [`accepted ${minuteOf(called_at)}`]),
    tries === 1 ? "1 try" : `${tries} tries`,
    ...(next_try_at === undefined ? [] : [`next try ${secondOf(next_try_at)}`]),
  ];
  return [`${id}  ${state}: ${about.join(", ")}`, ...(failed ? [`  ${failureText(failed)}`] : [])];
}

const showCommand = keyedCommand(
  () => new Command("show").description("show the webhook, and what became of its latest call"),
  ["wharf webhook show", "wharf webhook show --as ada"],
  async (shell) => {
    const webhook = await answerOf(orThrow(shell.client.get("/api/mailbox/webhook")));
    const { url, kinds, has_authorization, created, asleep, call } = webhook;
    const header = has_authorization ? ", with an Authorization header" : "";
    shell.show(webhook, [
      `${url}  since ${minuteOf(created)}, for ${shownKinds(kinds)}${header}`,
      ...(asleep
        ? [
            "It sleeps: its receiver has failed for a day. It is called once a day until it accepts a call, or a 'wharf webhook test'.",
          ]
        : []),
      ...(call ? callLines(call) : []),
    ]);
    if (!call) shell.nothing("there is no call to show.");
  },
);

const about_test = `
Exit code ${not_accepted_status}: the receiver has not accepted the call.`;

const testCommand = keyedCommand(
  () =>
    new Command("test")
      .description(
        "call the receiver once, and say how it answers; a webhook that sleeps is awake if it accepts",
      )
      .addHelpText("after", about_test),
  ["wharf webhook test"],
  async (shell) => {
    const tested = await answerOf(orThrow(shell.client.post("/api/mailbox/webhook/test")));
    const { delivered, because, status } = tested;
    const answered = status === undefined ? "" : `, with status ${status}`;
    shell.show(tested, delivered ? `The receiver has accepted the call${answered}.` : []);
    if (delivered) return;
    const reason = because === undefined ? "" : ` ${failureText({ because, status })}`;
    shell.nothing(`the receiver has not accepted the call.${reason}`);
    shell.terminal.setStatus(not_accepted_status);
  },
);

const removeCommand = keyedCommand(
  () => new Command("remove").description("remove the webhook: nothing is called any more"),
  ["wharf webhook remove"],
  async (shell) => {
    const removed = await answerOf(orThrow(shell.client.delete("/api/mailbox/webhook")));
    shell.show(removed, "The webhook is removed.");
  },
);

export function webhookCommand(terminal: Terminal): Command {
  const webhook = new Command("webhook")
    .description("have an address called when a claimed name has new notes")
    .helpGroup(client_group)
    .addCommand(setCommand(terminal))
    .addCommand(showCommand(terminal), { isDefault: true });
  for (const create of [testCommand, removeCommand]) webhook.addCommand(create(terminal));
  return withExamples(webhook, "wharf webhook");
}
