/**
 * Requests that do not fit the schema of their method: the SDK answers them with the code of an internal fault and the report
 * of its validator. They get the code of invalid params, and a sentence.
 */

import type { Server } from "@modelcontextprotocol/server";
import { limits } from "../core/limits.ts";
import { rpc_codes } from "./errors.ts";

type Transport = Parameters<Server["connect"]>[0];
type Message = Parameters<Transport["send"]>[0];

/** A place in the validator's report. Its `message` says which type was expected; it repeats no value. */
interface Issue {
  path: (string | number)[];
  message: string;
}

/** The issues in the text of an error; null if it is no report. The methods of this service never answer with a list. */
function issuesIn(text: string): Issue[] | null {
  if (!text.startsWith("[")) return null;
  try {
    return JSON.parse(text) as Issue[];
  } catch {
    return null;
  }
}

/** The message as callers get it. */
function readable(message: Message): Message {
  if (!("error" in message) || message.error.code !== rpc_codes.internal) return message;
  const issues = issuesIn(message.error.message);
  if (!issues) return message;
  const faults = issues
    .slice(0, limits.field_errors_max)
    .map(({ path, message }) => `${path.join(".") || "The message"}: ${message}.`);
  return { ...message, error: { code: rpc_codes.invalid_params, message: faults.join(" ") } };
}

/** Lets `server` refuse such requests in words of its own, over each transport. */
export function refuseWrongParams(server: Server): void {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(readable(message), options);
    return connect(transport);
  };
}
