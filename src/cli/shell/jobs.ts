/** `wharf jobs`: the job board. */

import { Argument, Command, Option } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { defined, jobIdIn, nameIn, textIn, wholeNumber } from "./arguments.ts";
import { notesAfter } from "./notes.ts";
import { client_group, keyedCommand, shellCommand, type ShellContext } from "./shell_command.ts";
import { jobLines, quoted } from "./texts.ts";

/** In the examples. */
const example_id = "019c7d2e-7a10-7000-8000-000000000001";

/** A command for one job. */
const jobCommand = (name: string, description: string): Command =>
  new Command(name).description(description).argument("<id>", "the id of the job, or its address", jobIdIn);

interface ListOptions {
  state: Schemas["JobRead"]["state"];
  search?: string;
  tag?: string;
  by?: string;
  limit: number;
}

const listCommand = shellCommand(
  () =>
    new Command("ls")
      .description("list jobs, the newest first")
      .addOption(
        new Option("--state <state>", "those in this state")
          .choices(["open", "held", "delivered", "withdrawn"] satisfies ListOptions["state"][])
          .default("open"),
      )
      .option("--search <words>", "those that have these words")
      .option("--tag <tag>", "those with this tag")
      .option("--by <name>", "those that this name posted")
      .option("--limit <count>", "how many at most", wholeNumber, 20),
  ["wharf jobs ls", "wharf jobs ls --tag prose --state delivered"],
  async (shell, { state, search, tag, by, limit }: ListOptions) => {
    const query = { state, limit, ...defined({ q: search, tag, by: by && nameIn(by) }) };
    const { jobs } = await orThrow(shell.client.get("/api/jobs", { query }));
    for (const job of jobs) shell.show(job, jobLines(job));
    if (jobs.length > 0) return;
    const is_any = [search, tag, by].every((filter) => filter === undefined);
    shell.nothing(is_any ? `no job is ${state}.` : `no job that is ${state} is found by that.`);
  },
);

const showCommand = shellCommand(
  () => jobCommand("show", "show a job with its result and its review"),
  [`wharf jobs show ${example_id}`],
  async (shell, _options: object, id: string) => {
    const job = await orThrow(shell.client.get("/api/jobs/{id}", { path: { id } }));
    const { result, review } = job;
    const receipt = await receiptOfReview(shell, job);
    shell.show(receipt === undefined ? job : { ...job, review: { ...review, receipt } }, [
      ...jobLines(job),
      ...(result === undefined ? [] : ["result:", ...quoted(result)]),
      ...(review ? [`${review.verdict}:`, ...quoted(review.reason ?? "(no reason)")] : []),
      ...(receipt === undefined ? [] : ["the receipt of the review:", receipt]),
    ]);
  },
);

/** The receipt of an accepted delivery, if the mailbox of its deliverer has it and can be read; undefined for anybody else. */
async function receiptOfReview(shell: ShellContext, job: Schemas["JobRead"]): Promise<string | undefined> {
  const { id, delivered_by, review } = job;
  if (review?.verdict !== "accepted" || delivered_by !== shell.name || shell.key === undefined)
    return undefined;
  const found = await notesAfter(shell).catch(() => null);
  const about = (found?.notes ?? []) as { kind: string; job?: string; receipt?: string }[];
  return about.findLast(({ kind, job }) => kind === "job.reviewed" && job === id)?.receipt;
}

const postCommand = keyedCommand(
  () =>
    new Command("post")
      .description("post a job")
      .argument("<title>", "what it is, in a line")
      .argument("<detail>", "what is to be done; - reads it from standard input")
      .option("--tag <tag...>", "words by which it is found"),
  ["wharf jobs post 'Count the words' 'In the preamble.' --tag prose"],
  async (shell, { tag: tags }: { tag?: string[] }, title: string, given: string) => {
    const body = { title, detail: await textIn(given), ...defined({ tags }) };
    const job = await orThrow(shell.client.post("/api/jobs", { body }));
    shell.show(job, `${job.id}  ${job.url}`);
  },
);

const claimCommand = keyedCommand(
  () => jobCommand("claim", "claim a job; it is yours until its lease ends"),
  [`wharf jobs claim ${example_id} --as bob`],
  async (shell, _options: object, id: string) => {
    const held = await orThrow(shell.client.post("/api/jobs/{id}/claim", { path: { id } }));
    shell.show(held, [...jobLines(held), `yours until ${held.you_hold_it_until}`]);
  },
);

const extendCommand = keyedCommand(
  () => jobCommand("extend", "hold a claimed job for longer"),
  [`wharf jobs extend ${example_id} --as bob`],
  async (shell, _options: object, id: string) => {
    const held = await orThrow(shell.client.post("/api/jobs/{id}/extend", { path: { id } }));
    shell.show(held, `yours until ${held.you_hold_it_until}`);
  },
);

const releaseCommand = keyedCommand(
  () => jobCommand("release", "give a claimed job back"),
  [`wharf jobs release ${example_id} --as bob`],
  async (shell, _options: object, id: string) => {
    const released = await orThrow(shell.client.post("/api/jobs/{id}/release", { path: { id } }));
    shell.show(released, `${released.id} is open again.`);
  },
);

const deliverCommand = keyedCommand(
  () =>
    jobCommand("deliver", "deliver the result of a claimed job, and print its receipt").argument(
      "<result>",
      "the result; - reads it from standard input",
    ),
  [`wharf jobs deliver ${example_id} '52 words.' --as bob`],
  async (shell, _options: object, id: string, given: string) => {
    const body = { result: await textIn(given) };
    const done = await orThrow(shell.client.post("/api/jobs/{id}/deliver", { path: { id }, body }));
    shell.show(done, [`${done.id} is delivered. Its receipt:`, done.receipt]);
  },
);

const verdicts = ["accepted", "disputed"] satisfies Schemas["ReviewJob"]["verdict"][];

const reviewCommand = keyedCommand(
  () =>
    jobCommand("review", "say whether the result of your job is good")
      .addArgument(new Argument("<verdict>", "your verdict").choices(verdicts))
      .option("--reason <text>", "why; - reads it from standard input"),
  [`wharf jobs review ${example_id} accepted --as ada`],
  async (
    shell,
    { reason: given }: { reason?: string },
    id: string,
    verdict: Schemas["ReviewJob"]["verdict"],
  ) => {
    const reason = given === undefined ? undefined : await textIn(given);
    const body = { verdict, ...defined({ reason }) };
    const reviewed = await orThrow(shell.client.post("/api/jobs/{id}/review", { path: { id }, body }));
    const { receipt } = reviewed;
    shell.show(
      reviewed,
      receipt === undefined
        ? `${reviewed.id} is ${verdict}.`
        : [`${reviewed.id} is ${verdict}. The deliverer's receipt:`, receipt],
    );
  },
);

const withdrawCommand = keyedCommand(
  () => jobCommand("withdraw", "take back a job that you posted"),
  [`wharf jobs withdraw ${example_id} --as ada`],
  async (shell, _options: object, id: string) => {
    const withdrawn = await orThrow(shell.client.post("/api/jobs/{id}/withdraw", { path: { id } }));
    shell.show(withdrawn, `${withdrawn.id} is withdrawn.`);
  },
);

const commands = [
  listCommand,
  showCommand,
  postCommand,
  claimCommand,
  extendCommand,
  releaseCommand,
  deliverCommand,
  reviewCommand,
  withdrawCommand,
];

export function jobsCommand(terminal: Terminal): Command {
  const jobs = new Command("jobs").description("post jobs, and do those of others").helpGroup(client_group);
  for (const create of commands) jobs.addCommand(create(terminal));
  return withExamples(jobs, "wharf jobs ls");
}
