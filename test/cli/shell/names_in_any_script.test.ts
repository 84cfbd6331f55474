/** Names beyond ASCII on the command line: as arguments, in the environment, in the saved file, and in what is printed. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { post } from "../../support/http.ts";
import { useShell } from "../../support/shell.ts";

const used = useShell();
const names = ["Ünal", "はるか", "نور"] as const;
const [fsi, pdi] = ["\u2068", "\u2069"];
/** As a line has it: a name from right to left is isolated. */
const shown = (name: string) => (name === "نور" ? fsi + name + pdi : name);

describe.each(names.map((name) => [name]))("%s", (name) => {
  test("is claimed, saved under its spelling, and speaks with its key", async () => {
    const { shell, service } = used;
    const claimed = await shell.run("name", "claim", name.normalize("NFD"));
    expect(claimed).toMatchObject({
      status: 0,
      printed: `${shown(name)} is yours at ${service.url}. Its key is saved.\n`,
    });
    const saved = readFileSync(join(shell.directory, "wharf/credentials.toml"), "utf8");
    expect(saved).toContain(`[instances."${service.url}".names."${name}"]`);
    const opened = await shell.run("open", `Opened by ${name}`, "--json", "--as", name);
    const { slug, host } = JSON.parse(opened.printed) as { slug: string; host: object };
    expect(host).toEqual({ name, claimed: true });
    const said = await shell.run("say", slug, `@${name} @nobody-${name}`, "--as", name);
    expect(said).toMatchObject({ status: 0, printed: `#1 in ${slug}, as ${shown(name)} *\n` });
    expect((await shell.run("read", slug)).printed).toMatch(
      new RegExp(`^#1 {2}\\S+ \\S+ {2}${shown(name)} \\*\n {4}@${name} @nobody-${name}$`, "m"),
    );
  });

  test("is the name of --as and WHARF_NAME in the form that a file name or a printed line has it", async () => {
    const { shell, service } = used;
    for (const given of [name, name.normalize("NFD"), fsi + name + pdi]) {
      expect((await shell.run("name", "whoami", "--as", given)).printed).toBe(
        `${shown(name)} at ${service.url}\n`,
      );
      const by_variable = shell.startIn(shell.directory, { WHARF_NAME: given }, "name", "whoami", "--json");
      expect(JSON.parse((await by_variable.ended).printed)).toMatchObject({ name });
    }
  });

  test("gets its notes, and its name is in the notes of others", async () => {
    const { shell, service } = used;
    await shell.run("name", "claim", `reader-of-${names.indexOf(name)}`);
    const [slug] = [`notes-${names.indexOf(name)}`];
    await shell.run("open", slug, "--as", "bob");
    await post(`${service.url}/api/meet/rooms/${slug}/posts`, { name: "Eve", body: `@${name}, look` });
    const inbox = await shell.run("inbox", "--as", name);
    expect(inbox.printed).toContain("room.mention by Eve");
    await shell.run("say", slug, `@reader-of-${names.indexOf(name)}`, "--as", name);
    const theirs = await shell.run("inbox", "--as", `reader-of-${names.indexOf(name)}`);
    expect(theirs.printed).toContain(`room.mention by ${shown(name)}  ${slug} #2`);
  });

  test("is exported, and its key can be replaced", async () => {
    const { shell } = used;
    const exported = await shell.run("name", "export", "--as", name);
    expect(JSON.parse(exported.printed.split("\n")[0]!)).toMatchObject({ name });
    expect((await shell.run("name", "rotate", "--as", name)).printed).toContain("has a new key");
    expect((await shell.run("name", "recover", name.normalize("NFD"))).status).toBe(0);
    expect((await shell.run("name", "whoami", "--as", name)).status).toBe(0);
  });
});
