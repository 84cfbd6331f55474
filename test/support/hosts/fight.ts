/** Two agents that want to edit the same file of a repository, each through the hooks of its host, and one without hooks. */

import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orThrow } from "../../../src/client/client.ts";
import { binary } from "../binary.ts";
import { clientOf } from "../client.ts";
import { newRepository, type Repository } from "../git_repositories.ts";
import { environmentOf, patient } from "../guards.ts";
import { claim, type Holder } from "../names.ts";
import { newDirectory, removeDirectory } from "../service.ts";
import { recipe, writeRecipe, type AgentHost } from "./agent_hosts.ts";
import type { RunAgent } from "./run_host.ts";
import type { Turn } from "./scripted_model.ts";

const path = "app/login.py";
export const [text_of_ada, text_of_bob] = ["by = 'alice'\n", "by = 'bob'\n"];

export interface Fight {
  url: string;
  room: string;
  alice: Holder;
  bob: Holder;
  /** The repository in which both edit, a clone of another agent, and that of the server. */
  shared: Repository;
  clone: Repository;
  server: Repository;
  /** The home of an agent, where its key is saved, and its environment. */
  settings(who: Holder): { home: string; environment: Record<string, string> };
  remove(): void;
}

/** Makes the repositories, with the hooks of the document. `is_guarded`: whether they have the file of the guard. */
export async function prepareFight(url: string, hosts: AgentHost[], is_guarded: boolean): Promise<Fight> {
  const root = realpathSync(newDirectory());
  const programs = join(root, "bin");
  mkdirSync(programs);
  symlinkSync(binary(), join(programs, "wharf"));
  const id = crypto.randomUUID().slice(0, 8);
  const [alice, bob] = [await claim(url, `alice-${id}`), await claim(url, `bob-${id}`)];
  const { slug: room } = await orThrow(
    clientOf(url).post("/api/meet/rooms", { body: { goal: `Team ${id}`, name: "Host" } }),
  );
  // The key is saved: the shell of Codex gets no variable whose name has KEY in it.
  const settings = (who: Holder) => {
    const home = join(root, who.name);
    mkdirSync(home, { recursive: true });
    // The shell of Codex is a login shell, which sets PATH anew.
    writeFileSync(join(home, ".profile"), `PATH=${programs}:$PATH\n`);
    const env = { ...environmentOf({ url, home }), ...patient, PATH: `${programs}:${process.env.PATH}` };
    const login = ["wharf", "login", "--url", url, "--as", who.name, "--key", "-"];
    const { exitCode, stderr } = Bun.spawnSync(login, { env, cwd: home, stdin: new Blob([who.key]) });
    if (exitCode !== 0) throw new Error(stderr.toString());
    return { home, environment: env };
  };
  const of_git = { PATH: `${programs}:${process.env.PATH}`, WHARF_URL: url, ...patient };
  const server = newRepository(join(root, "server.git"), { is_bare: true, environment: of_git });
  const shared = newRepository(join(root, "shared"), { environment: of_git });
  if (is_guarded)
    shared.write({ ".wharf-leases.toml": `room = "${room}"\npaths = ["app/**"]\nauto = true\n` });
  for (const host of hosts) writeRecipe(host, shared.directory);
  shared.commit({ [path]: "by = 'nobody'\n" });
  shared.git("push", "--quiet", server.directory, "main");
  const clone = newRepository(join(root, "clone"), { environment: of_git });
  clone.git("pull", "--quiet", server.directory, "main");
  runRecipe("sh clone", clone);
  runRecipe("sh server", server);
  return { url, room, alice, bob, shared, clone, server, settings, remove: () => removeDirectory(root) };
}

function runRecipe(info: string, { directory, environment }: Repository): void {
  const { exitCode, stderr } = Bun.spawnSync(["sh", "-euc", recipe(info)], {
    cwd: directory,
    env: environment,
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
}

export const fileOf = ({ shared }: Fight): string => readFileSync(join(shared.directory, path), "utf8");

/** What the models of both saw. */
export interface Course {
  alice: string[];
  bob: string[];
  /** What the file was when the second had been refused, or had edited it. */
  meanwhile: string;
}

/**
 * The first edits the file and works until the second has tried to. If that is refused, it runs the command of the refusal, which
 * waits for the end of the first, and edits then.
 */
export async function fight(
  scene: Fight,
  run: RunAgent,
  [first, second]: [AgentHost, AgentHost],
): Promise<Course> {
  const { shared } = scene;
  const file = join(shared.directory, path);
  const course: Course = { alice: [], bob: [], meanwhile: "" };
  const has_edited = Promise.withResolvers<void>();
  const has_tried = Promise.withResolvers<void>();
  const editing = ({ read, write }: AgentHost, text: string): Turn[] => [read(file), write(file, text)];
  const of_alice = run({
    host: first,
    repository: shared.directory,
    ...scene.settings(scene.alice),
    async script(results) {
      course.alice = [...results];
      const turn = editing(first, text_of_ada)[results.length];
      if (turn) return turn;
      has_edited.resolve();
      await has_tried.promise;
      return { text: "Done." };
    },
  });
  await Promise.race([has_edited.promise, of_alice]);
  const of_bob = run({
    host: second,
    repository: shared.directory,
    ...scene.settings(scene.bob),
    async script(results) {
      course.bob = [...results];
      const turn = editing(second, text_of_bob)[results.length];
      if (turn) return turn;
      if (results.length === 2) course.meanwhile = fileOf(scene);
      const command = /wharf lease take [^\n\\"]+ --wait \d+/.exec(results[1]!)?.[0];
      if (command === undefined) {
        has_tried.resolve();
        return { text: "Done." };
      }
      if (results.length > 2) return editing(second, text_of_bob)[results.length - 3] ?? { text: "Done." };
      // The first ends while the command waits.
      has_tried.resolve();
      return second.run(command);
    },
  });
  // A host that fails must not leave the other waiting.
  await Promise.all([of_alice, of_bob.finally(() => has_tried.resolve())]);
  return course;
}

/** What one without the hooks of a host has to say about its commit and its pushes: how each ends, and what is printed. */
export function goAround({ clone, server }: Fight, fence: number) {
  const file = join(clone.directory, path);
  writeFileSync(file, "by = 'carl'\n");
  clone.git("add", path);
  const commit = clone.tryGit("commit", "--quiet", "--message", "Mine");
  clone.git("commit", "--quiet", "--no-verify", "--message", "Mine");
  const push = (...options: string[]) => clone.tryGit("push", ...options, server.directory, "main");
  return {
    commit,
    push: push(),
    stale: push("-o", `wharf-lease=${path}:${fence - 1}`),
    own: push("-o", `wharf-lease=${path}:${fence}`),
  };
}

/** The lease of a name on the file. */
export async function leaseOf({ url, room }: Fight, who: Holder) {
  const { leases } = await orThrow(
    clientOf(url, who).get("/api/meet/rooms/{room}/leases", { path: { room } }),
  );
  return leases.find(({ holder }) => holder === who.name);
}
