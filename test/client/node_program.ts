/** A program for Node that uses the client. */

import { argv } from "node:process";
import { createClient, orThrow } from "../../src/client/client.ts";

const api = createClient({ url: argv[2]! });
const opened = await orThrow(api.post("/api/meet/rooms", { body: { goal: "Node", name: "Ada" } }));
const path = { room: opened.slug };
console.log(`opened ${opened.slug}`);
console.log(`code ${(await api.get("/api/meet/rooms/{room}", { path: { room: "nowhere" } })).error?.code}`);
await api.post("/api/meet/rooms/{room}/posts", { path, body: { name: "Ada", body: "from Node" } });
await api.post("/api/meet/rooms/{room}/close", { path, headers: { "x-meet-key": opened.host_key! } });
for await (const { event, data } of api.follow("/api/meet/rooms/{room}/stream", {
  path,
  query: { since: "0" },
})) {
  console.log(event === "post" ? `${event} ${data.body}` : event);
}
