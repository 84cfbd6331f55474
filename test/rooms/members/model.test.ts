/** After any calls about members, those read, speak and act as hosts who do by a plain map of names to roles. */

import { afterAll, expect, test } from "bun:test";
import type { Role } from "../../../src/api/rooms/members.ts";
import { asOwner } from "../../support/admin.ts";
import { call, get } from "../../support/http.ts";
import { openPrivate, putMember, removeMember, rolesIn, sayAs } from "../../support/members.ts";
import { claim, type Holder } from "../../support/names.ts";
import { testRandom } from "../../support/seed.ts";
import { startSource } from "../../support/service.ts";

const random = testRandom("members");
const steps = Number(process.env.WHARF_TEST_OPERATIONS ?? 150);
const names = ["Ann", "Bob", "Cid", "Dan", "Eve"];
const roles: Role[] = ["host", "member", "reader"];

/** What a call about a member does to the map, or the code of its refusal. `by`: a name; null for the host key, with which Ann opened the room. */
class Model {
  readonly roles = new Map<string, Role>([["Ann", "host"]]);

  #refusal(by: string | null): string | undefined {
    if (by === null) {
      const has_host = Array.from(this.roles.values()).includes("host");
      return this.roles.get("Ann") === "host" || !has_host ? undefined : "wrong_host_key";
    }
    if (this.roles.get(by) === "host") return undefined;
    return this.roles.has(by) ? "host_key_required" : "room_not_found";
  }

  #isLastHost(name: string): boolean {
    const hosts = Array.from(this.roles).filter(([, role]) => role === "host");
    return hosts.length === 1 && hosts[0]![0] === name;
  }

  put(by: string | null, name: string, role: Role): string {
    const refusal = this.#refusal(by);
    if (refusal !== undefined) return refusal;
    if (!names.includes(name)) return "member_not_claimed";
    const is_new = !this.roles.has(name);
    if (role !== this.roles.get(name) && this.#isLastHost(name)) return "last_host";
    this.roles.set(name, role);
    return is_new ? "added" : "changed";
  }

  remove(by: string | null, name: string): string {
    const refusal = by === name ? undefined : this.#refusal(by);
    if (refusal !== undefined) return refusal;
    if (!this.roles.has(name)) return by === name ? "room_not_found" : "member_not_found";
    if (this.#isLastHost(name)) return "last_host";
    this.roles.delete(name);
    return "removed";
  }
}

const service = await startSource();
afterAll(() => service.stop());

test(`after each of ${steps} random calls`, async () => {
  const { url } = service;
  const holders = new Map<string, Holder>();
  for (const name of names) holders.set(name, await claim(url, name));
  const room = await openPrivate(url, holders.get("Ann")!);
  const model = new Model();
  const headersOf = (by: string | null) =>
    by === null ? { "x-meet-key": room.host_key! } : holders.get(by)!.pair;

  /** What a call of one kind did, and what it does by the model. */
  async function step(): Promise<[string, string, string]> {
    const by = random.oneOf([...names, "Ann", null, null]);
    const name = random.oneOf([...names, ...names, by ?? "nobody"]);
    const kind = random.below(20);
    if (kind === 0) {
      service.clock.advance(1_000);
      await asOwner(service, "POST", `/api/admin/names/${name}/release`, { reason: "lost" });
      if (names.includes(name)) holders.set(name, await claim(url, name));
      model.roles.delete(name);
      return [`${name} is claimed anew`, "", ""];
    }
    if (kind < 8) {
      const { body } = await removeMember(room, headersOf(by), name);
      return [`${by} removes ${name}`, body.code ?? "removed", model.remove(by, name)];
    }
    const role = random.oneOf(roles);
    const { body } = await putMember(room, headersOf(by), name, role);
    const did = body.code ?? (body.added ? "added" : "changed");
    return [`${by} makes ${name} ${role}`, did, model.put(by, name, role)];
  }

  for (let i = 0; i < steps; i++) {
    const [what, did, expected] = await step();
    expect([i, what, did]).toEqual([i, what, expected]);
    const reading = await Promise.all(
      names.map(async (name) => (await get(room.api, holders.get(name)!.pair)).status),
    );
    expect([what, reading]).toEqual([what, names.map((name) => (model.roles.has(name) ? 200 : 404))]);
    const name = random.oneOf(names);
    const role = model.roles.get(name) ?? "none";
    const spoken = await sayAs(room, holders.get(name)!, `Step ${i}`);
    expect([what, name, role, spoken.status]).toEqual([
      what,
      name,
      role,
      { host: 201, member: 201, reader: 403, none: 404 }[role],
    ]);
    const paced = await call("PUT", `${room.api}/pace`, { pace: "none" }, holders.get(name)!.pair);
    expect([what, name, role, paced.status]).toEqual([
      what,
      name,
      role,
      { host: 200, member: 401, reader: 401, none: 404 }[role],
    ]);
  }
  const [reader] = model.roles.keys();
  if (reader !== undefined)
    expect(await rolesIn(room, holders.get(reader)!)).toEqual(Object.fromEntries(model.roles));
}, 120_000);
