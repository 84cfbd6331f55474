/** The OpenAPI document: it is valid, and it describes the routes and their answers. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { error_catalog } from "../../src/app/error_catalog.ts";
import type { ErrorDefinition } from "../../src/core/error_definition.ts";
import { dev_errors } from "../../src/dev/errors.ts";
import { statusOf } from "../../src/web/problems.ts";
import type { BeaconOverview } from "../../src/api/beacon/beacon.ts";
import type { OpenedRoom, Post } from "../../src/api/rooms/rooms.ts";
import { call, get, post } from "../support/http.ts";
import { callJob, postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type TestService } from "../support/service.ts";
import { calling, startReceiver, type Receiver } from "../support/webhook_receivers.ts";

interface Operation {
  operationId: string;
  parameters: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
  responses: Record<
    string,
    {
      description: string;
      headers?: Record<string, object>;
      content: Record<string, unknown>;
      "x-codes"?: string[];
    }
  >;
}
interface Document {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties: Record<string, { examples?: unknown[] }> }> };
}

let service: TestService;
let receiver: Receiver;
let document: Document;
let api: string;
beforeAll(async () => {
  service = await startSource(calling);
  receiver = startReceiver();
  api = `${service.url}/api/meet/rooms`;
  document = (await get<Document>(`${service.url}/openapi.json`)).body;
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

test("is valid OpenAPI 3.1.0 by an independent validator", async () => {
  expect(document.openapi).toBe("3.1.0");
  expect(document.info.version).toBe("1.0.0");
  const { valid, errors } = await new Validator().validate(
    structuredClone(document) as unknown as Record<string, unknown>,
  );
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test("describes repeated calls wherever an Idempotency-Key is read", () => {
  for (const { operationId, parameters, responses } of Object.values(document.paths).flatMap((item) =>
    Object.values(item),
  )) {
    if (!parameters.some(({ name }) => name === "Idempotency-Key")) continue;
    const codes = Object.values(responses).flatMap((answer) => answer["x-codes"] ?? []);
    expect([operationId, codes]).toEqual([
      operationId,
      expect.arrayContaining(["idempotency_key_reused", "idempotency_in_progress"]),
    ]);
    const success = (responses["200"] ?? responses["201"])!;
    const preference = parameters.some(({ name }) => name === "Prefer") ? ["Preference-Applied"] : [];
    expect([operationId, Object.keys(success.headers ?? {})]).toEqual([
      operationId,
      ["Idempotency-Replayed", ...preference],
    ]);
  }
});

test("docs/contract.md names every call of the document", async () => {
  const contract = await Bun.file(join(import.meta.dir, "../../docs/contract.md")).text();
  const missing = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .map((method) => `${method.toUpperCase()} ${path}`)
      .filter((named) => !contract.includes(`\`${named}\``)),
  );
  expect(missing).toEqual([]);
});

test("docs/contract.md gives each problem code the status that the service gives it", async () => {
  const contract = await Bun.file(join(import.meta.dir, "../../docs/contract.md")).text();
  // Section 9 has those of `wharf dev`.
  const definitions: Record<string, ErrorDefinition> = { ...error_catalog, ...dev_errors };
  const wrong = Array.from(contract.matchAll(/\b([1-5]\d\d) `([a-z_]+)`/g)).filter(([, status, code]) => {
    const definition = definitions[code!];
    return !definition || statusOf(definition) !== Number(status);
  });
  expect(wrong.map(([text]) => text)).toEqual([]);
});

const pages = [
  ...["/meet", "/meet/r/{room}", "/meet/r/{room}/{post}", "/name/{name}", "/jobs", "/jobs/{id}", "/locker"],
  ...["/beacon", "/beacon/{round}", "/receipt", "/api", "/api/docs/{section}", "/problems/{code}", "/admin"],
  ...["/openapi.json", "/llms.txt", "/SKILL.md"],
];

test("describes every page, every API route and no other", async () => {
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.toSorted()).toEqual(
    [
      "GET /",
      "GET /problems",
      "GET /api/meet/rooms",
      "POST /api/meet/rooms",
      "GET /api/meet/rooms/{room}",
      "POST /api/meet/rooms/{room}/posts",
      "POST /api/meet/rooms/{room}/close",
      "POST /api/meet/rooms/{room}/host",
      "GET /api/meet/rooms/{room}/posts/{id}",
      "DELETE /api/meet/rooms/{room}/posts/{id}",
      "GET /api/meet/rooms/{room}/present",
      "GET /api/meet/rooms/{room}/leases",
      "GET /api/meet/rooms/{room}/members",
      "POST /api/meet/rooms/{room}/members",
      "DELETE /api/meet/rooms/{room}/members/{name}",
      "POST /api/meet/rooms/{room}/leases",
      "POST /api/meet/rooms/{room}/leases/extend",
      "POST /api/meet/rooms/{room}/leases/release",
      "POST /api/meet/rooms/{room}/leases/break",
      "POST /api/meet/rooms/{room}/leases/check",
      "POST /api/admin/rooms/{room}/leases/break",
      "GET /api/meet/rooms/{room}/stream",
      "GET /api/meet/rooms/{room}/feed.json",
      "GET /api/meet/rooms/{room}/feed.atom",
      "GET /api/meet/rooms/{room}/export.jsonl",
      "GET /api/admin/invites",
      "POST /api/admin/invites",
      "POST /api/admin/invites/{id}/revoke",
      "GET /api/admin/clients",
      "POST /api/admin/clients",
      "POST /api/admin/clients/end",
      "POST /api/name",
      "GET /api/name",
      "GET /api/name/{name}",
      "GET /api/name/{name}/posts",
      "GET /api/name/export",
      "GET /api/name/grants",
      "DELETE /api/name/grants/{id}",
      "POST /api/name/whoami",
      "POST /api/name/rotate",
      "POST /api/name/recover",
      "POST /api/name/revoke",
      "GET /api/locker",
      "GET /api/locker/index",
      "GET /api/locker/{slot}",
      "PUT /api/locker/{slot}",
      "PUT /api/meet/rooms/{room}/pace",
      "DELETE /api/locker/{slot}",
      "GET /locker/{name}/{slot}",
      "GET /me",
      "GET /me/jobs",
      "GET /me/jobs/{id}",
      "GET /me/locker",
      "GET /me/locker/{slot}",
      "GET /me/mailbox",
      "GET /me/webhook",
      "GET /me/receipts",
      "GET /me/rooms",
      "GET /signin",
      "GET /claim",
      "GET /api/jobs",
      "POST /api/jobs",
      "GET /api/jobs/{id}",
      "POST /api/jobs/{id}/claim",
      "POST /api/jobs/{id}/extend",
      "POST /api/jobs/{id}/release",
      "POST /api/jobs/{id}/deliver",
      "POST /api/jobs/{id}/withdraw",
      "POST /api/jobs/{id}/review",
      "GET /api/mailbox",
      "DELETE /api/mailbox",
      "POST /api/mailbox/ack",
      "POST /api/mailbox/reached",
      "PUT /api/mailbox/delivery",
      "GET /api/mailbox/webhook",
      "PUT /api/mailbox/webhook",
      "DELETE /api/mailbox/webhook",
      "POST /api/mailbox/webhook/test",
      "GET /api/mailbox/stream",
      "GET /api/wait",
      "GET /.well-known/jwks.json",
      "GET /receipt/key",
      "GET /receipt/key.pem",
      "GET /receipt/verify",
      "POST /receipt/verify",
      "GET /api/beacon",
      "GET /api/beacon/toss",
      "GET /api/beacon/{round}",
      "GET /api/beacon/days/{day}",
      "POST /api/meet/rooms/{room}/posts/{id}/report",
      ...["suspend", "unsuspend", "reserve", "unreserve", "release"].map(
        (action) => `POST /api/admin/names/{name}/${action}`,
      ),
      "POST /api/admin/lockers/{name}/{slot}/remove",
      "POST /api/admin/jobs/{id}/withdraw",
      "GET /api/admin/network",
      "GET /api/admin/reports",
      "POST /api/admin/reports/{post_id}/dismiss",
      "GET /api/admin/bans",
      "POST /api/admin/bans",
      "POST /api/admin/bans/lift",
      "GET /api/admin/audit",
      "GET /api/admin/backup",
      "GET /api/admin/export",
      "GET /api/admin/tokens",
      "GET /api/admin/retention",
      "POST /api/admin/retention",
      "POST /api/admin/posts/{id}/erase",
      "POST /api/admin/posts/{id}/hide",
      "POST /api/admin/posts/{id}/restore",
      "POST /api/admin/rooms/{room}/close",
      "POST /api/admin/rooms/{room}/delete",
      "POST /api/admin/rooms/{room}/reopen",
      "POST /api/admin/tokens",
      "POST /api/admin/tokens/{id}/revoke",
      ...pages.map((path) => `GET ${path}`),
      "GET /healthz",
      "GET /readyz",
    ].toSorted(),
  );
  for (const line of documented) {
    const [method, path] = line.split(" ") as [string, string];
    const { headers } = await fetch(service.url + path.replace(/\{\w+\}/g, "x"), { method: "OPTIONS" });
    expect(headers.get("allow")).toContain(method);
  }
});

test("has unique operation ids, describes all path parameters, and gives examples of bodies", () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => ({ path, operation })),
  );
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, operation } of operations) {
    const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
    const described = operation.parameters
      .filter((parameter) => parameter.in === "path")
      .map(({ name }) => name);
    expect(described).toEqual(named);
    const body = operation.requestBody?.content["application/json"]?.schema.$ref.split("/").at(-1);
    if (!body) continue;
    const fields = Object.values(document.components.schemas[body]!.properties);
    expect(fields.some((field) => (field.examples?.length ?? 0) > 0)).toBe(true);
  }
});

describe("matches the answers of the service", () => {
  /** `instead`: the parameter in place of whose usual answer this is. */
  const check = (path: string, method: string, status: number, body: unknown, instead?: string) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema(document, "openapi");
    const answer = document.paths[path]![method]!.responses[String(status)]!;
    expect(answer).toBeDefined();
    const media = Object.keys(answer.content).find((type) => type.endsWith("json"))!;
    if (status >= 400) expect(body).toHaveProperty("status", status);
    if (status >= 400 && status < 500) expect(body).toHaveProperty("hint");
    const place = instead ? ["x-instead", instead] : ["content", media, "schema"];
    const pointer = ["paths", path, method, "responses", String(status), ...place]
      .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/");
    const validate = ajv.compile({ $ref: `openapi#/${pointer}` });
    const valid = validate(body);
    expect(validate.errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  };

  test("describes the answers and problems of rooms", async () => {
    const opened = await post<OpenedRoom>(api, { goal: "Documented", name: "Ada" });
    check("/api/meet/rooms", "post", 201, opened.body);
    const { host_key } = opened.body;
    const said = await post<Post>(`${api}/documented/posts`, { name: "Ada", body: "hello" });
    check("/api/meet/rooms/{room}/posts", "post", 201, said.body);
    check("/api/meet/rooms/{room}", "get", 200, (await get(`${api}/documented`)).body);
    check("/api/meet/rooms", "get", 200, (await get(api)).body);
    check("/api/meet/rooms", "get", 200, (await get(`${api}?q=documented`)).body);
    const { name, pair } = await claim(service.url, "Private Ada");
    await post(api, { goal: "Documented for members", name, visibility: "private" }, pair);
    for (const query of ["", "&q=documented"]) {
      const { body } = await get(`${api}?visibility=private${query}`, pair);
      expect(body).toMatchObject({ rooms: [{ role: "host" }] });
      check("/api/meet/rooms", "get", 200, body);
    }
    check("/api/meet/rooms", "get", 401, (await get(`${api}?visibility=private`)).body);
    const feed = await get(`${api}/documented/feed.json`);
    check("/api/meet/rooms/{room}/feed.json", "get", 200, feed.body);
    check("/healthz", "get", 200, (await get(`${service.url}/healthz`)).body);
    check("/readyz", "get", 200, (await get(`${service.url}/readyz`)).body);

    check("/api/meet/rooms", "get", 200, (await get(`${api}?fields=lean`)).body, "fields");
    check("/api/locker", "get", 200, (await get(`${service.url}/api/locker`)).body, "no_credential");
    const lean_read = await get(`${api}/documented?fields=lean`);
    check("/api/meet/rooms/{room}", "get", 200, lean_read.body, "fields");
    const spoken = await post(`${api}/documented/posts?fields=lean`, { name: "Ada", body: "hi", since: 0 });
    check("/api/meet/rooms/{room}/posts", "post", 201, spoken.body, "fields");

    const key = { "x-meet-key": host_key! };
    const url = `${api}/documented/posts/${said.body.id}`;
    check("/api/meet/rooms/{room}/posts/{id}", "get", 200, (await get(url)).body);
    const [author, reader] = [await claim(service.url, "Author"), await claim(service.url, "Reader")];
    const said_to = await post(`${api}/documented/posts`, { name: "Author", body: "@Reader?" }, author.pair);
    const own = `${api}/documented/posts/${Number(said_to.body.n)}`;
    await post(
      `${api}/documented/posts`,
      { name: "Reader", body: "!", in_reply_to: said_to.body.n },
      reader.pair,
    );
    const delivery = await get(`${own}?fields=delivery`, author.pair);
    check("/api/meet/rooms/{room}/posts/{id}", "get", 200, delivery.body, "fields");
    check(
      "/api/meet/rooms/{room}/posts/{id}",
      "delete",
      200,
      (await call("DELETE", url, undefined, key)).body,
    );
    check("/api/meet/rooms/{room}", "get", 200, (await get(`${api}/documented`)).body);
    check(
      "/api/meet/rooms/{room}/close",
      "post",
      200,
      (await post(`${api}/documented/close`, undefined, key)).body,
    );
    check("/api/meet/rooms/{room}", "get", 200, (await get(`${api}/documented`)).body);

    check("/api/meet/rooms", "post", 422, (await post(api, {})).body);
    check("/api/meet/rooms/{room}", "get", 404, (await get(`${api}/nowhere`)).body);
    const after = await post(`${api}/documented/posts`, { name: "Ada", body: "late" });
    check("/api/meet/rooms/{room}/posts", "post", 410, after.body);
  });

  test("describes the answers and problems of the members of a private room", async () => {
    const [host, member, stranger] = await Promise.all(
      ["Opener", "Added", "Stranger"].map((name) => claim(service.url, name)),
    );
    const wanted = { goal: "For some", name: "Opener", visibility: "private" };
    check("/api/meet/rooms", "post", 401, (await post(api, { ...wanted, name: "Nobody" })).body);
    const opened = await post<OpenedRoom>(api, wanted, host!.pair);
    check("/api/meet/rooms", "post", 201, opened.body);
    const members = `${opened.body.api}/members`;
    const path = "/api/meet/rooms/{room}/members";
    const add = (name: string, role?: string) => post(members, { name, role }, host!.pair);
    const added = await add("Added");
    expect(added.status).toBe(201);
    check(path, "post", 201, added.body);
    const changed = await add("added", "reader");
    expect(changed.status).toBe(200);
    check(path, "post", 200, changed.body);
    const listed = await get(members, member!.pair);
    check(path, "get", 200, listed.body);
    expect(listed.body.members).toMatchObject([
      { name: "Opener", role: "host" },
      { name: "Added", role: "reader" },
    ]);
    check("/api/meet/rooms/{room}", "get", 200, (await get(opened.body.api, member!.pair)).body);
    check(
      "/api/meet/rooms/{room}",
      "get",
      200,
      (await get(`${opened.body.api}?fields=lean`, member!.pair)).body,
      "fields",
    );
    const spoken = await post(`${opened.body.api}/posts`, { name: "Added", body: "?" }, member!.pair);
    check("/api/meet/rooms/{room}/posts", "post", 403, spoken.body);

    check(path, "get", 401, (await get(members)).body);
    check(path, "get", 404, (await get(members, stranger!.pair)).body);
    check(path, "post", 404, (await post(members, { name: "Added" })).body);
    const wrong = { "x-meet-key": "wfh_wrong" };
    check(path, "post", 404, (await post(members, { name: "Added" }, wrong)).body);
    check(path, "post", 403, (await post(members, { name: "Added" }, { ...wrong, ...host!.pair })).body);
    check(path, "post", 401, (await post(members, { name: "Stranger" }, member!.pair)).body);
    check(path, "post", 404, (await post(members, { name: "Added" }, stranger!.pair)).body);
    check(path, "post", 409, (await add("Nobody")).body);
    check(path, "post", 409, (await add("Opener", "reader")).body);
    check(path, "post", 422, (await add("Added", "owner")).body);
    const at = (name: string) => `${members}/${name}`;
    const one = `${path}/{name}`;
    check(one, "delete", 404, (await call("DELETE", at("Stranger"), undefined, host!.pair)).body);
    check(one, "delete", 409, (await call("DELETE", at("Opener"), undefined, host!.pair)).body);
    check(one, "delete", 200, (await call("DELETE", at("Added"), undefined, member!.pair)).body);
    check(one, "delete", 404, (await call("DELETE", at("Added"), undefined, member!.pair)).body);
    const open = await post<OpenedRoom>(api, { goal: "For all", name: "Opener" }, host!.pair);
    check(path, "get", 409, (await get(`${open.body.api}/members`, host!.pair)).body);
    check(path, "get", 404, (await get(`${api}/nowhere/members`, host!.pair)).body);
  });

  test("describes the answers and problems of names", async () => {
    const names = `${service.url}/api/name`;
    const at = (rest = "") => `/api/name${rest}`;
    const claimed = await post<{ key: string; recovery_code: string }>(names, { name: "Documented" });
    check(at(), "post", 201, claimed.body);
    const { recovery_code } = claimed.body;
    const pair = (key: string) => ({ "x-wf-name": "Documented", "x-wf-key": key });
    check(at(), "get", 200, (await get(names)).body);
    check(at("/{name}"), "get", 200, (await get(`${names}/documented`)).body);
    check(
      at("/whoami"),
      "post",
      200,
      (await post(`${names}/whoami`, undefined, pair(claimed.body.key))).body,
    );
    const rotated = await post<{ key: string }>(`${names}/rotate`, undefined, pair(claimed.body.key));
    check(at("/rotate"), "post", 200, rotated.body);
    const recovery = { name: "Documented", recovery_code };
    const recovered = await post<{ key: string }>(`${names}/recover`, recovery);
    check(at("/recover"), "post", 200, recovered.body);
    check(at("/recover"), "post", 403, (await post(`${names}/recover`, recovery)).body);
    const headers = { "idempotency-key": "documented" };
    const revoked = await post(`${names}/revoke`, { key: recovered.body.key }, headers);
    check(at("/revoke"), "post", 200, revoked.body);
    check(at("/revoke"), "post", 401, (await post(`${names}/revoke`, { key: recovered.body.key })).body);

    check(at(), "post", 409, (await post(names, { name: "documented" })).body);
    check(at(), "post", 422, (await post(names, { name: "admin" })).body);
    check(at("/{name}"), "get", 404, (await get(`${names}/unclaimed`)).body);
    check(at("/whoami"), "post", 401, (await post(`${names}/whoami`)).body);
    check(at("/rotate"), "post", 401, (await post(`${names}/rotate`)).body);
    const once = { "idempotency-key": "documented-claim" };
    await post(names, { name: "Documented once" }, once);
    check(at(), "post", 201, (await post(names, { name: "Documented once" }, once)).body);
  });

  test("describes the answers and problems of lockers", async () => {
    const { pair } = await claim(service.url, "Keeper");
    const locker = `${service.url}/api/locker`;
    const slot = "/api/locker/{slot}";
    const put = (body: object, headers = {}) => call("PUT", `${locker}/a/b`, body, { ...pair, ...headers });
    expect((await get(locker)).body).toHaveProperty("what");
    check(slot, "put", 201, (await put({ value: "x" })).body);
    check(slot, "put", 200, (await put({ value: "x", public: true, expires_in: 60 })).body);
    check("/api/locker", "get", 200, (await get(locker, pair)).body);
    check("/api/locker/index", "get", 200, (await get(`${locker}/index`)).body);
    check(slot, "get", 200, (await get(`${locker}/a/b`, pair)).body);
    check("/locker/{name}/{slot}", "get", 200, (await get(`${service.url}/locker/keeper/a/b`)).body);

    check("/api/locker", "get", 422, (await get(`${locker}?limit=0`)).body);
    check("/api/locker", "get", 401, (await get(locker, { "x-wf-key": "wrong" })).body);
    check("/api/locker/index", "get", 422, (await get(`${locker}/index?cursor=x`)).body);
    check(slot, "put", 401, (await call("PUT", `${locker}/a`, { value: "x" })).body);
    check(slot, "put", 412, (await put({ value: "x" }, { "if-match": '"other"' })).body);
    check(slot, "put", 413, (await put({ value: "x".repeat(32_769) })).body);
    check(slot, "put", 422, (await put({})).body);
    check(slot, "get", 401, (await get(`${locker}/a`)).body);
    check(slot, "get", 404, (await get(`${locker}/missing`, pair)).body);
    check("/locker/{name}/{slot}", "get", 404, (await get(`${service.url}/locker/keeper/c`)).body);
    for (let i = 0; i < 63; i++) await call("PUT", `${locker}/s${i}`, { value: "" }, pair);
    check(slot, "put", 409, (await call("PUT", `${locker}/more`, { value: "" }, pair)).body);
    check(slot, "delete", 200, (await call("DELETE", `${locker}/a/b`, undefined, pair)).body);
    check(slot, "delete", 404, (await call("DELETE", `${locker}/a/b`, undefined, pair)).body);
    check(slot, "delete", 401, (await call("DELETE", `${locker}/a/b`)).body);
  });

  test("describes the answers and problems of jobs and mailboxes", async () => {
    const [poster, worker] = [await claim(service.url, "Poster"), await claim(service.url, "Worker")];
    const { url } = service;
    const job = (rest = "") => `/api/jobs/{id}${rest}`;
    const posted = await post<{ id: string }>(`${url}/api/jobs`, { title: "t", detail: "d" }, poster.pair);
    check("/api/jobs", "post", 201, posted.body);
    const { id } = posted.body;
    const did = async (who: Holder, name: Parameters<typeof callJob>[3], status: number, body?: object) => {
      const answer = await callJob(url, who, id, name, body);
      expect([name, answer.status]).toEqual([name, status]);
      check(job(`/${name}`), "post", status, answer.body);
    };
    const read = async () => check(job(), "get", 200, (await get(`${url}/api/jobs/${id}`)).body);
    await read();
    await did(poster, "claim", 403);
    await did(worker, "claim", 200);
    await did(worker, "claim", 409);
    await did(poster, "withdraw", 409);
    await read();
    await did(worker, "extend", 200);
    await did(poster, "extend", 409);
    await did(worker, "release", 200);
    await did(worker, "release", 409);
    await callJob(url, worker, id, "claim");
    await did(poster, "review", 409, { verdict: "accepted" });
    await did(worker, "deliver", 422, {});
    await did(worker, "deliver", 409, { result: "r", claim_no: 9 });
    await did(worker, "deliver", 201, { result: "r" });
    await did(worker, "review", 403, { verdict: "accepted" });
    await did(poster, "review", 422, { verdict: "fine" });
    await did(poster, "review", 200, { verdict: "accepted", reason: "good" });
    await read();
    check(job(), "get", 404, (await get(`${url}/api/jobs/nowhere`)).body);
    check("/api/jobs", "get", 200, (await get(`${url}/api/jobs`)).body);
    check("/api/jobs", "get", 422, (await get(`${url}/api/jobs?limit=0`)).body);
    check("/api/jobs", "post", 401, (await post(`${url}/api/jobs`, { title: "t", detail: "d" })).body);
    check("/api/jobs", "post", 422, (await post(`${url}/api/jobs`, {}, poster.pair)).body);
    for (let i = 0; i < 10; i++) await postJob(url, poster);
    const eleventh = await post(`${url}/api/jobs`, { title: "t", detail: "d" }, poster.pair);
    check("/api/jobs", "post", 429, eleventh.body);

    const mailbox = `${url}/api/mailbox`;
    const webhook = `${mailbox}/webhook`;
    const hook = { url: receiver.url, kinds: ["room.mention"], authorization: "Bearer of-the-receiver" };
    const set = async (body: object) => (await call("PUT", webhook, body, poster.pair)).body;
    check("/api/mailbox/webhook", "get", 404, (await get(webhook, poster.pair)).body);
    check("/api/mailbox/webhook", "put", 200, await set(hook));
    check("/api/mailbox/webhook", "put", 200, await set(hook));
    check("/api/mailbox/webhook", "put", 401, (await call("PUT", webhook, hook)).body);
    check("/api/mailbox/webhook", "put", 422, await set({ ...hook, kinds: ["none"] }));
    check("/api/mailbox/webhook", "put", 422, await set({ url: "http://127.0.0.1:9/none" }));
    check(
      "/api/mailbox/webhook/test",
      "post",
      200,
      (await post(`${webhook}/test`, undefined, poster.pair)).body,
    );
    check("/api/mailbox/webhook", "get", 200, (await get(webhook, poster.pair)).body);
    check(
      "/api/mailbox/webhook",
      "delete",
      200,
      (await call("DELETE", webhook, undefined, poster.pair)).body,
    );
    check(
      "/api/mailbox/webhook",
      "delete",
      404,
      (await call("DELETE", webhook, undefined, poster.pair)).body,
    );
    check(
      "/api/mailbox/webhook/test",
      "post",
      404,
      (await post(`${webhook}/test`, undefined, poster.pair)).body,
    );
    check("/api/mailbox", "get", 200, (await get(mailbox, poster.pair)).body);
    check("/api/mailbox", "get", 200, (await get(mailbox, worker.pair)).body);
    check("/api/mailbox", "get", 200, (await get(`${mailbox}?count`, worker.pair)).body, "count");
    const lean = await get(`${mailbox}?fields=lean&since=0`, poster.pair);
    check("/api/mailbox", "get", 200, lean.body, "fields");
    for (const [path, sent] of [
      ["/api/jobs", ""],
      ["/api/jobs/{id}", `/${id}`],
    ] as const)
      check(path, "get", 200, (await get(`${url}/api/jobs${sent}?fields=lean`)).body, "fields");
    const wait = `${service.url}/api/wait?jobs=MA&rooms=0&mailbox=0&wait_seconds=0`;
    check("/api/wait", "get", 200, (await get(wait, poster.pair)).body);
    check("/api/wait", "get", 401, (await get(wait)).body);
    check("/api/wait", "get", 422, (await get(`${service.url}/api/wait`)).body);
    check("/api/mailbox", "get", 401, (await get(mailbox)).body);
    check("/api/mailbox/ack", "post", 200, (await post(`${mailbox}/ack`, { through: 1 }, poster.pair)).body);
    check("/api/mailbox/ack", "post", 422, (await post(`${mailbox}/ack`, { through: 99 }, poster.pair)).body);
    const reached = (through: number) =>
      post(`${mailbox}/reached`, { through, by: "watch" }, poster.pair).then(({ body }) => body);
    check("/api/mailbox/reached", "post", 200, await reached(1));
    check("/api/mailbox/reached", "post", 422, await reached(99));
    const delivery = async (shown: unknown) =>
      (await call("PUT", `${mailbox}/delivery`, { shown }, poster.pair)).body;
    check("/api/mailbox/delivery", "put", 200, await delivery(false));
    check("/api/mailbox/delivery", "put", 422, await delivery("perhaps"));
    check("/api/mailbox", "get", 200, (await get(mailbox, poster.pair)).body);
    check("/api/name/{name}", "get", 200, (await get(`${service.url}/api/name/${poster.name}`)).body);
    check("/api/mailbox", "delete", 200, (await call("DELETE", mailbox, undefined, poster.pair)).body);
    check("/api/mailbox", "get", 410, (await get(`${mailbox}?since=0`, poster.pair)).body);
  });

  test("describes every verdict on a receipt", async () => {
    const { url } = service;
    const { receipt } = (await post<{ receipt: string }>(api, { goal: "Signed", name: "Ada" })).body;
    const foreign = receipt.replace(
      /^[^.]+/,
      Buffer.from('{"alg":"EdDSA","typ":"receipt+jwt","kid":"x"}').toString("base64url"),
    );
    for (const [shown, verdict] of [
      [receipt, "valid"],
      [`${receipt.slice(0, -1)}_`, "invalid"],
      [foreign, "unknown_key"],
    ]) {
      const { body } = await get(`${url}/receipt/verify?r=${shown}`);
      expect(body.verdict).toBe(verdict!);
      check("/receipt/verify", "get", 200, body);
      check("/receipt/verify", "post", 200, (await post(`${url}/receipt/verify`, { receipt: shown })).body);
    }
    check("/receipt/verify", "post", 422, (await post(`${url}/receipt/verify`, {})).body);
    check("/receipt/verify", "get", 422, (await get(`${url}/receipt/verify`)).body);
    check("/receipt/key", "get", 200, (await get(`${url}/receipt/key`)).body);
    check("/.well-known/jwks.json", "get", 200, (await get(`${url}/.well-known/jwks.json`)).body);
  });

  test("describes the answers and problems of the beacon", async () => {
    const beacon = `${service.url}/api/beacon`;
    const overview = (await get<BeaconOverview>(beacon)).body;
    check("/api/beacon", "get", 200, overview);
    const { round } = overview.last_revealed!;
    for (const query of ["", "?label=x&int=1..6", "?pick=a,b,c&n=2", "?shuffle=a,b"]) {
      check("/api/beacon/{round}", "get", 200, (await get(`${beacon}/${round}${query}`)).body);
    }
    check("/api/beacon/{round}", "get", 200, (await get(`${beacon}/${round + 5}`)).body);
    check("/api/beacon", "get", 200, (await get(`${beacon}?fields=lean`)).body, "fields");
    for (const query of ["proof=1", "int=1..6", "pick=a,b", ""]) {
      const { body } = await get(`${beacon}/${round}?fields=lean&${query}`);
      check("/api/beacon/{round}", "get", 200, body, "fields");
    }
    for (const query of [
      "label=x&heads=a",
      `toss=toss ${round}: x; heads: a; tails: b`,
      `toss=toss ${round} int 1..6: x`,
    ]) {
      check("/api/beacon/toss", "get", 200, (await get(`${beacon}/toss?${query}`)).body);
      check(
        "/api/beacon/toss",
        "get",
        200,
        (await get(`${beacon}/toss?fields=lean&${query}`)).body,
        "fields",
      );
    }
    check("/api/beacon/toss", "get", 422, (await get(`${beacon}/toss`)).body);
    check("/api/beacon/{round}", "get", 425, (await get(`${beacon}/${round + 5}?label=x`)).body);
    const day = overview.days.last;
    check("/api/beacon/days/{day}", "get", 200, (await get(`${beacon}/days/${day}`)).body);
  });

  test("names every error of the routes", () => {
    const named = JSON.stringify(document.paths);
    const elsewhere = new Set(["malformed_form", "path_not_found", "method_not_allowed", "unknown_method"]);
    const missing = Object.keys(error_catalog).filter(
      (code) => !named.includes(`${code}:`) && !elsewhere.has(code),
    );
    expect(missing).toEqual([]);
  });
});
