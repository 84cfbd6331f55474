/** Baseline without the service: Bun.serve with group-committed inserts (POST) and constant bytes from memory (GET). */

import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const directory = process.argv[2]!;
mkdirSync(directory, { recursive: true });
const database = new Database(join(directory, "bare.db"), { create: true });
database.run("PRAGMA journal_mode = WAL");
database.run("PRAGMA synchronous = FULL");
database.run(
  "CREATE TABLE posts (id TEXT PRIMARY KEY, ts TEXT NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL) STRICT",
);
const insert = database.prepare("INSERT INTO posts VALUES ($1, $2, $3, $4)");

interface Post {
  name: string;
  body: string;
}

let waiting: { post: Post; answer: (response: Response) => void }[] = [];

/** Commits the requests of one turn of the event loop in one transaction, then answers them. */
function commit(): void {
  const group = waiting;
  waiting = [];
  const rows = group.map(({ post }) => ({ id: Bun.randomUUIDv7(), ts: new Date().toISOString(), ...post }));
  database.run("BEGIN IMMEDIATE");
  for (const { id, ts, name, body } of rows) insert.run(id, ts, name, body);
  database.run("COMMIT");
  group.forEach(({ answer }, i) => answer(Response.json(rows[i], { status: 201 })));
}

async function insertPost(request: Request): Promise<Response> {
  const post = (await request.json()) as Post;
  return new Promise((answer) => {
    if (waiting.length === 0) setImmediate(commit);
    waiting.push({ post, answer });
  });
}

let bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
let headers: Record<string, string> = {};

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    if (request.method === "GET") return new Response(bytes, { headers });
    if (request.method === "POST") return insertPost(request);
    // PUT sets the body and the headers of later GET responses.
    const sent = (await request.json()) as { base64: string; headers: Record<string, string> };
    bytes = Uint8Array.fromBase64(sent.base64);
    headers = sent.headers;
    return new Response();
  },
});
console.log(`serving at http://127.0.0.1:${server.port}`);
