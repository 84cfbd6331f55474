// Passes calls of a webhook of Wharf on to a receiver that wants a body of its own: ntfy, Slack, OpenClaw, a workflow of GitHub, or any
// other that takes JSON. Needs Node 18 or later, and nothing else. README.md lists its settings.

import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const body_bytes_max = 16_384;
/** Standard Webhooks: a call whose time is further away is refused. */
const tolerance_seconds = 300;
/** The service waits 15 seconds for an answer. */
const receiver_timeout_ms = 10_000;
const remembered_max = 10_000;

const env = process.env;

/** A setting: the variable, or the content of the file that the variable with _FILE at its end names. */
function setting(name, absent = "") {
  if (env[name]) return env[name];
  try {
    return readFileSync(env[`${name}_FILE`] ?? "", "utf8").trim() || absent;
  } catch (error) {
    if (!env[`${name}_FILE`] || error.code === "ENOENT") return absent;
    throw error;
  }
}

/** The key that signs calls; null as long as there is no secret. The file is read at each call, so a new secret needs no restart. */
function signingKey() {
  const secret = setting("WEBHOOK_SECRET");
  if (secret === "") return null;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (!secret.startsWith("whsec_") || key.length < 24)
    throw new Error("WEBHOOK_SECRET is no secret of a webhook");
  return key;
}

/** Whether one of the signatures is that of this id, time and body (Standard Webhooks 1.0), and the time is near. */
function isSigned(key, headers, body) {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures = "" } = headers;
  if (!id || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(Date.now() / 1000 - Number(time)) > tolerance_seconds) return false;
  const hash = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest("base64");
  const expected = Buffer.from(`v1,${hash}`);
  const given = signatures.split(" ").map((signature) => Buffer.from(signature));
  return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

/** What the receiver gets: headers and a body. Throws if RELAY_TO is none of these. */
function messageFor({ type, data }) {
  const kinds = Object.entries(data.kinds ?? {}).map(([kind, unread]) => `${unread} ${kind}`);
  const news = `Unread notes for ${data.name}: ${kinds.join(", ")}. Read them at ${data.mailbox}`;
  const text = type === "test" ? `A test of the webhook of ${data.name}.` : news;
  const values = { text, type, unread: 0, through: 0, ...data, kinds: kinds.join(", ") };
  const escaped = text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
  const headers = { "content-type": "application/json" };
  const json = (content) => ({ headers, body: JSON.stringify(content) });
  switch (setting("RELAY_TO")) {
    case "ntfy":
      return { headers: { title: "Wharf" }, body: text };
    case "slack":
      return json({ text: escaped });
    case "openclaw":
      return json({ text, mode: "now" });
    case "github":
      return json({ event_type: "wharf", client_payload: { type, ...data } });
    case "json":
      return json(filled(setting("RELAY_TEMPLATE", '{"text":"{text}"}'), values));
    default:
      throw new Error("RELAY_TO must be ntfy, slack, openclaw, github or json");
  }
}

/** The template with {text}, {name} and others in its texts. Values stay within them: the template is parsed first. */
const filled = (template, values) =>
  JSON.parse(template, (_, part) =>
    typeof part !== "string"
      ? part
      : part.replace(/\{(\w+)\}/g, (all, name) => (Object.hasOwn(values, name) ? String(values[name]) : all)),
  );

/** Sends the message. Resolves with whether the receiver has accepted it. */
async function isPassedOn(call) {
  const { headers, body } = messageFor(call);
  const token = setting("RELAY_TOKEN");
  const response = await fetch(setting("RELAY_URL"), {
    method: "POST",
    headers: {
      "user-agent": "wharf-relay",
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...JSON.parse(setting("RELAY_HEADERS", "{}")),
    },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(receiver_timeout_ms),
  });
  await response.body?.cancel();
  return response.ok;
}

/** By the id of a call, whether it was passed on. A failed one is forgotten, so that its repetition is passed on. */
const remembered = new Map();

function passOnOnce(id, call) {
  const before = remembered.get(id);
  if (before) return before;
  const passing = isPassedOn(call)
    // The message of an error can have the address, which is a secret with Slack.
    .catch((error) => void console.error(`${id}: ${error.cause?.code ?? error.name}`))
    .then((is_accepted) => is_accepted || void remembered.delete(id));
  remembered.set(id, passing);
  if (remembered.size > remembered_max) remembered.delete(remembered.keys().next().value);
  return passing;
}

/** Resolves with the status of the answer, and its content if it has one. */
async function answerTo(request) {
  if (request.method !== "POST") return [405];
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > body_bytes_max) return [413];
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  const key = signingKey();
  if (key && !isSigned(key, request.headers, body)) return [401];
  const call = JSON.parse(body.toString());
  if (call.type === "verification") return [200, { challenge: call.challenge }];
  // The secret is in the answer to the call that sets the webhook: until then there is nothing to check a call with.
  if (!key) return [503];
  if (call.type !== "mailbox.unread" && call.type !== "test") return [204];
  return (await passOnOnce(request.headers["webhook-id"], call)) ? [204] : [502];
}

messageFor({ data: {} });
new URL(setting("RELAY_URL"));
signingKey();
const server = createServer(async (request, response) => {
  const failed = (error) => [error instanceof SyntaxError ? 400 : 500];
  const [status, content] = await answerTo(request).catch(failed);
  response.writeHead(status, content && { "content-type": "application/json" });
  response.end(content && JSON.stringify(content));
});
server.on("listening", () => console.log(`at port ${server.address().port}`));
server.listen(Number(env.PORT ?? 8080), env.HOST ?? "127.0.0.1");
