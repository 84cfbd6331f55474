/** Jobs for tests: posts a job, calls its commands, and reads the notes. */

import { orThrow, type Schemas } from "../../src/client/client.ts";
import type { Job } from "../../src/api/jobs/jobs.ts";
import type { Mailbox, Note } from "../../src/api/mailbox.ts";
import { clientOf } from "./client.ts";
import { get, post, type Answer } from "./http.ts";
import type { Holder } from "./names.ts";

/** The members of any answer of the job board: a job, the additions of its command, or a problem. */
export type JobAnswer = Job & {
  receipt: string;
  you_hold_it_until: string;
  code: string;
  errors: { path: string; message: string }[];
};

/** Posts a job as `who`. */
export const postJob = (
  url: string,
  who: Holder,
  more: Partial<Schemas["PostJob"]> = {},
): Promise<Schemas["PostedJob"]> =>
  orThrow(
    clientOf(url, who).post("/api/jobs", {
      body: { title: "Count the words", detail: "In the preamble.", ...more },
    }),
  );

/** Calls the command `name` on a job as `who`. */
export const callJob = (
  url: string,
  who: Holder,
  id: string,
  name: "claim" | "extend" | "release" | "deliver" | "withdraw" | "review",
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer<JobAnswer>> =>
  post<JobAnswer>(`${url}/api/jobs/${id}/${name}`, body, { ...who.pair, ...headers });

export const readJob = (url: string, id: string): Promise<Schemas["JobRead"]> =>
  orThrow(clientOf(url).get("/api/jobs/{id}", { path: { id } }));

export const readMailbox = async (url: string, who: Holder, query = ""): Promise<Mailbox> =>
  (await get<Mailbox>(`${url}/api/mailbox${query}`, who.pair)).body;

/** The notes of a mailbox, oldest first. */
export const notesOf = async (url: string, who: Holder, query = ""): Promise<Note[]> =>
  (await readMailbox(url, who, query)).notes as Note[];

/** The payload of a receipt, without a check of its signature. */
export const payloadOf = (receipt: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(receipt.split(".")[1]!, "base64url").toString()) as Record<string, unknown>;
