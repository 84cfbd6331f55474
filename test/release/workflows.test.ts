/** The workflows of GitHub: what each job may do, in which order, and that what they call exists. */

import { describe, expect, test } from "bun:test";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageManager, scripts } from "../../package.json" with { type: "json" };
import { root } from "../../scripts/release/facts.ts";
import { workflow, workflow_names, type Job } from "../support/workflows.ts";

const stepsOf = ({ steps = [] }: Job) => steps;
const needsOf = ({ needs = [] }: Job) => [needs].flat();

describe.each(workflow_names)("%s", (name) => {
  const { permissions, jobs } = workflow(name);
  const steps = Object.values(jobs).flatMap(stepsOf);

  test("grants nothing but what a job lists", () => {
    expect(permissions).toEqual({});
    for (const job of Object.values(jobs)) expect(job.permissions).toBeDefined();
  });

  test("pins every action to a major version, and leaves no credentials in a checkout", () => {
    const used = [...steps, ...Object.values(jobs)].flatMap(({ uses }) => uses ?? []);
    for (const action of used)
      expect(action).toMatch(/^\.\/\.github\/workflows\/\w+\.yml$|^[\w-]+\/[\w-]+@(?:release\/)?v\d+$/);
    const local = used.filter((action) => action.startsWith("./"));
    expect(local.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.map(({ with: options }) => options)).toEqual(
      checkouts.map(() => ({ "persist-credentials": false })),
    );
  });

  test("calls the pinned Bun, and scripts that exist", () => {
    const commands = steps.flatMap(({ run }) => run ?? []).join("\n");
    for (const [, bun, script = ""] of commands.matchAll(/npx -y (bun@\S+) (?:run )?(\S+)/g)) {
      expect(bun).toBe(packageManager);
      expect([script, script in scripts || existsSync(join(root, script))]).toEqual([script, true]);
    }
    for (const [path] of commands.matchAll(/^\.\S+$/gm)) accessSync(join(root, path), constants.X_OK);
  });
});

test("a release is published after the checks and the build, by jobs whose permissions are these", () => {
  const { on, jobs } = workflow("release.yml");
  expect(on).toEqual({ push: { tags: ["v*"] } });
  const writing = Object.entries(jobs).filter(([, { permissions }]) =>
    Object.values(permissions!).includes("write"),
  );
  const granted = writing.map(([name, { permissions }]) => [name, Object.keys(permissions!)]);
  expect(Object.fromEntries(granted) as object).toEqual({
    image: ["packages", "id-token", "attestations"],
    npm: ["id-token"],
    pypi: ["id-token"],
    github: ["contents", "id-token", "attestations"],
  });
  for (const name of ["image", "npm", "pypi"]) {
    expect(needsOf(jobs[name]!)).toContainValues(["check", "build"]);
    expect(jobs[name]!.environment).toBe("release");
  }
  expect(needsOf(jobs.github!)).toContainValues(["image", "npm", "pypi"]);
  // These run code of others, such as the packages that a build installs.
  for (const name of ["tag", "check", "build"]) expect(jobs[name]!.permissions).toEqual({ contents: "read" });
});

test("the job that builds the image gets every file that the Dockerfile copies", () => {
  const template = readFileSync(join(root, "scripts/release/Dockerfile"), "utf8");
  const copied = Array.from(
    template.matchAll(/^COPY (?!.*--from)(?:--\S+ )*(\S+)/gm),
    ([, path]) => `dist/release/${path}`,
  );
  expect(copied.length).toBeGreaterThan(2);
  const uploads = stepsOf(workflow("release.yml").jobs.build!).filter(({ uses }) =>
    uses?.includes("upload-artifact"),
  );
  const { path } = uploads.find(({ with: options }) => options?.name === "image")!.with as { path: string };
  const given = path.trim().split("\n");
  expect(given).toContain("dist/release/Dockerfile");
  expect(
    copied.filter((file) => !given.some((folder) => file === folder || file.startsWith(`${folder}/`))),
  ).toEqual([]);
});
