// A receiver with the official library for JavaScript. ../../support/library_receivers.ts says what it does.

import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

let state = { secrets: [], failing: false };

function isVerified(secret, body, headers) {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

function answerTo(body, headers) {
  const verified = state.secrets.map((secret) => isVerified(secret, body, headers));
  console.log(JSON.stringify({ headers, body: body.toString(), verified }));
  if (state.secrets.length > 0 && !verified.includes(true)) return [401, {}];
  if (state.failing) return [503, {}];
  const { challenge } = JSON.parse(body);
  return [200, { challenge }];
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (request.method === "PUT") state = JSON.parse(body);
  const [status, content] = request.method === "PUT" ? [200, {}] : answerTo(body, request.headers);
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(content));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
