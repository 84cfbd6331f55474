/** What commands read from their arguments. */

import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { messageOf } from "../../core/log.ts";
import { UsageError } from "../../core/settings.ts";

/** Parses a whole number, for Commander. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

/** The slug of a room that is given by its slug or the address of its page. */
export const slugIn = (room: string): string => /\/meet\/r\/([^/?#]+)/.exec(room)?.[1] ?? room;

/** The id of a job that is given by its id or its address. */
export const jobIdIn = (job: string): string => /\/jobs\/([\w-]+)/.exec(job)?.[1] ?? job;

/** A name from the command line or the environment: in form NFC, and without the isolates of a name that was printed (`nameShown`). */
export const nameIn = (given: string): string => given.normalize("NFC").replace(/[\u2066-\u2069]/g, "");

/** A text from the command line; `-` is standard input. Throws a `UsageError` if it is empty. */
export async function textIn(given: string): Promise<string> {
  const text = given === "-" ? withoutLineEnd(await Bun.stdin.text()) : given;
  if (text.trim() === "") throw new UsageError("the text is empty.");
  return text;
}

/** The text of a file; `-` is standard input. Throws a `UsageError` if it is empty or cannot be read. */
export async function fileTextIn(file: string): Promise<string> {
  if (file === "-") return textIn(file);
  let text: string;
  try {
    text = withoutLineEnd(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error).replace(/\.$/, "")}.`);
  }
  if (text.trim() === "") throw new UsageError(`${file} is empty.`);
  return text;
}

const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, "");

/** The members of `values` that are not undefined. */
export const defined = <T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
