/** The tests of a fight, for real hosts and for imitations of them. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startBinary, type TestService } from "../service.ts";
import { agent_hosts, type AgentHost } from "./agent_hosts.ts";
import { fight, fileOf, goAround, leaseOf, prepareFight, text_of_ada, text_of_bob } from "./fight.ts";
import type { RunAgent } from "./run_host.ts";

const { claude, codex, gemini, opencode } = agent_hosts;
/** Each host is the first and the second once. */
const pairs: [AgentHost, AgentHost][] = [
  [claude, codex],
  [codex, gemini],
  [gemini, opencode],
  [opencode, claude],
];

/** `run` returns how agents are run, when the tests begin. */
export function testFights(run: () => RunAgent): void {
  let service: TestService;
  beforeAll(async () => {
    service = await startBinary({ rate_limit: false });
  });
  afterAll(() => service.stop());

  describe.each(
    pairs.map(([first, second]) => ({ first, second, names: `${first.name} and ${second.name}` })),
  )("$names want the same file", ({ first, second }) => {
    test("both write it if nothing is guarded", async () => {
      const scene = await prepareFight(service.url, [first, second], false);
      const { bob, meanwhile } = await fight(scene, run(), [first, second]);
      expect(meanwhile).toBe(text_of_bob);
      expect(bob.join()).not.toContain("leased");
      scene.remove();
    });

    test("the second is refused, waits and continues; commit and push stop a third", async () => {
      const scene = await prepareFight(service.url, [first, second], true);
      const { alice, bob, meanwhile } = await fight(scene, run(), [first, second]);
      expect(alice.join()).not.toContain("leased");
      expect(meanwhile).toBe(text_of_ada);
      expect(bob[1]).toContain(`app/login.py is leased by ${scene.alice.name} until `);
      // The command of the refusal has waited, and has taken it.
      expect(bob[2]).not.toMatch(/wharf: |not found/);
      // It has read the file of the first, then has written its own.
      expect(bob[3]).toContain("by = 'alice'");
      expect(fileOf(scene)).toBe(text_of_bob);
      // The session of the first has ended, so its lease is released; that of the second was taken by a command.
      expect(await leaseOf(scene, scene.alice)).toBeUndefined();
      const { fence } = (await leaseOf(scene, scene.bob))!;
      const { commit, push, stale, own } = goAround(scene, fence!);
      const by_bob = `wharf: app/login.py is leased by ${scene.bob.name} until `;
      expect(commit).toEqual({ status: 1, errors: expect.stringContaining(by_bob) as string });
      expect(push).toEqual({ status: 1, errors: expect.stringContaining(by_bob) as string });
      expect(stale).toEqual({
        status: 1,
        errors: expect.stringContaining(
          "The lease of app/login.py has ended, or its fence is another.",
        ) as string,
      });
      expect(own.status).toBe(0);
      scene.remove();
    });
  });
}
