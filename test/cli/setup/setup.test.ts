/** `wharf setup` with stand-ins of agent hosts and a real service. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { SetupHost } from "../../../src/cli/setup/host.ts";
import { usualName } from "../../../src/cli/setup/names.ts";
import { setup_hosts } from "../../../src/cli/setup/hosts.ts";
import { changeCredentials, credentialsFile, readCredentials } from "../../../src/cli/shell/credentials.ts";
import type { Terminal } from "../../../src/cli/terminal.ts";
import { is_linux } from "../../../src/app/libc.ts";
import { runHere } from "../../support/commands.ts";
import { claim } from "../../support/names.ts";
import { lacks } from "../../support/programs.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../support/service.ts";
import { installHosts, stand_in_hosts, treeOf } from "../../support/setup_hosts.ts";

const table = setup_hosts as SetupHost[];
const real_hosts = [...table];
let service: SourceService;
beforeAll(async () => {
  table.splice(0, Infinity, ...stand_in_hosts);
  service = await startSource();
});
afterAll(async () => {
  table.splice(0, Infinity, ...real_hosts);
  await service.stop();
});

let root: string;
let home: string;
let environment: Record<string, string | undefined>;
beforeEach(() => {
  root = newDirectory();
  home = join(root, "home");
  mkdirSync(home);
  installHosts(join(root, "bin"), ["alpha", "beta", "gamma"]);
  environment = {
    PATH: `${join(root, "bin")}:/usr/bin:/bin`,
    HOME: home,
    XDG_CONFIG_HOME: join(root, "config"),
    XDG_STATE_HOME: join(root, "state"),
    WHARF_URL: service.url,
    USER: "ada",
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
  };
});
afterEach(() => removeDirectory(root));

const setup = (...words: string[]) => runHere({ environment }, "setup", ...words);
const setupAt = (terminal: Partial<Terminal>, ...words: string[]) =>
  runHere({ environment, ...terminal }, "setup", ...words);

const put = (name: string, text: string): string => {
  const file = join(home, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const read = (name: string): string => readFileSync(join(home, name), "utf8");
const keyOf = (name: string): string | undefined =>
  readCredentials(credentialsFile({ environment })).instances[service.url]?.names[name]?.key;

const settings =
  '// mine\n{\n  "mcpServers": {\n    "other": { "command": "x" } // others\n  },\n  "theme": "dark",\n}\n';
const done = { status: 0, errors: "" };
const nameFor = (printed: string, host: string): string =>
  new RegExp(`${host} is set up as (\\S+)\\.`, "i").exec(printed)![1]!;

describe("wharf setup", () => {
  test("sets up the hosts on the PATH, each with a name of its own, and keeps what was there", async () => {
    put(".beta/settings.json", settings);
    put(".alpha.json", '{"mcpServers": {"mine": {}}, "history": [1]}');
    const ended = await setup("--yes");
    expect(ended).toMatchObject(done);
    const names = ["alpha", "beta", "gamma"].map((id) => nameFor(ended.printed, id));
    expect(new Set(names).size).toBe(3);
    for (const name of names) {
      expect(keyOf(name)).toStartWith("wfk_");
      expect((await fetch(`${service.url}/api/name/${name}`)).status).toBe(200);
    }
    expect(read(".beta/settings.json")).toContain(
      '\n    "other": { "command": "x" }, // others\n    "wharf": {\n',
    );
    expect(read(".beta/settings.json")).toContain('\n  "theme": "dark",\n  "hooks": {\n');
    expect(JSON.parse(read(".alpha.json"))).toMatchObject({
      mcpServers: { mine: {}, wharf: { type: "stdio" } },
      history: [1],
    });
    expect(read(".agents/skills/wharf/SKILL.md")).toStartWith("---\nname: wharf\n");
    expect(ended.printed).toContain("Alpha asks whether you trust the hooks.");
    // The name that speaks in a shell is none of these.
    expect(readCredentials(credentialsFile({ environment })).instances[service.url]!.name).toBeUndefined();
  });

  test.each([
    ["ada@corp", "adacorp-codex"],
    ["ünal".normalize("NFD"), "ünal-codex"],
    ["はるか", "はるか-codex"],
    // No name has Cyrillic beside Latin letters.
    ["ольга7", "7-codex"],
    ["نور", "agent-codex"],
  ])("names the host of the user %s as far as one name can have both", (USER, name) => {
    expect(usualName("codex", { USER })).toBe(name);
  });

  test("sets up a name beyond ASCII, however it is written", async () => {
    for (const name of ["Ünal", "はるか", "نور"]) {
      const ended = await setup("beta", "--name", name.normalize("NFD"), "--yes");
      expect(ended).toMatchObject(done);
      expect(nameFor(ended.printed, "beta")).toBe(name);
      expect(keyOf(name)).toStartWith("wfk_");
      expect(JSON.stringify(Bun.JSONC.parse(read(".beta/settings.json")))).toContain(`"--as","${name}"`);
      expect((await setup("beta", "--check")).printed).toContain(`the key of ${name} works`);
      await setup("beta", "--undo");
    }
  });

  test("makes its service the usual one if none was chosen: a guard of leases calls that without an address", async () => {
    const saved = () => readCredentials(credentialsFile({ environment })).url;
    await setup("alpha", "--yes");
    expect(saved()).toBe(service.url);
    changeCredentials(credentialsFile({ environment }), (credentials) => {
      credentials.url = "https://wharf.example";
    });
    await setup("beta", "--yes");
    expect(saved()).toBe("https://wharf.example");
  });

  test("shows the change before it makes it, and with --dry-run makes none", async () => {
    put(".beta/settings.json", settings);
    const before = treeOf(root);
    const ended = await setup("--dry-run");
    expect(ended).toMatchObject(done);
    for (const text of [
      ".beta/settings.json",
      `claims the name ada-beta`,
      '"Stop": [ { "hooks": [ {',
      "runs alpha mcp add wharf --",
      "SKILL.md, a new file",
    ])
      expect(ended.printed).toContain(text);
    expect(treeOf(root)).toEqual(before);
    const json = await setup("--dry-run", "--json");
    const plans = json.printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { plan: { host: string } });
    expect(plans.map(({ plan }) => plan.host)).toEqual(["alpha", "beta", "gamma"]);
    expect(treeOf(root)).toEqual(before);
  });

  test("asks at a terminal, and needs --yes elsewhere", async () => {
    const before = treeOf(root);
    expect(await setup("beta")).toMatchObject({ status: 2, errors: expect.stringContaining("--yes") });
    expect(treeOf(root)).toEqual(before);
    const questions: string[] = [];
    const answer = (line: string) => (question: string) => {
      questions.push(question);
      return Promise.resolve(line);
    };
    expect((await setupAt({ ask: answer("") }, "beta")).errors).toContain("nothing was changed");
    expect(treeOf(root)).toEqual(before);
    expect((await setupAt({ ask: answer("y") }, "beta")).printed).toContain("beta is set up as");
    expect(questions).toEqual(["Make these changes? [y/N] ", "Make these changes? [y/N] "]);
    expect(existsSync(join(home, ".beta/settings.json"))).toBe(true);
  });

  test("changes nothing when it is run twice, and claims nothing twice", async () => {
    await setup("--yes");
    const before = treeOf(root);
    const again = await setup("--yes");
    expect(again).toMatchObject(done);
    expect(again.printed.match(/everything is set up/g)).toHaveLength(3);
    expect(treeOf(root)).toEqual(before);
  });

  test("changes its own entries when it is run with another name, and undoes to the first bytes", async () => {
    put(".beta/settings.json", settings);
    put(".alpha.json", "{}");
    await setup("--yes");
    const ended = await setup("beta", "--name", "other-name", "--yes");
    expect(ended).toMatchObject(done);
    expect(read(".beta/settings.json").match(/other-name/g)).toHaveLength(2);
    expect(read(".beta/settings.json")).not.toContain(`ada-beta`);
    const changed = await setup("alpha", "--name", "third-name", "--yes");
    expect(changed).toMatchObject(done);
    expect(read(".alpha.json")).toContain("third-name");
    expect(await setup("--undo")).toMatchObject(done);
    expect([read(".beta/settings.json"), read(".alpha.json")]).toEqual([settings, "{}"]);
  });

  test("takes another name if somebody has claimed the first, unless it was given", async () => {
    const usual = "ada-gamma";
    const is_free = (await fetch(`${service.url}/api/name/${usual}`)).status === 404;
    if (is_free) await claim(service.url, usual);
    const ended = await setup("gamma", "--yes");
    expect(ended.printed).toMatch(new RegExp(`set up as ${usual}-[a-z]{4}\\.`));
    await claim(service.url, "taken-name");
    const refused = await setup("gamma", "--name", "taken-name", "--yes");
    expect(refused).toMatchObject({ status: 2, errors: expect.stringContaining("taken-name is claimed") });
  });

  test("refuses a name for several hosts, and one that cannot be claimed", async () => {
    expect((await setup("--name", "ada", "--yes")).status).toBe(2);
    expect(await setup("beta", "--name", "a/b", "--yes")).toMatchObject({ status: 2, printed: "" });
  });

  test("says why the service gives no name, and changes nothing then", async () => {
    const before = treeOf(home);
    const ended = await setup("beta", "--name", "wharf-admin", "--yes");
    expect([ended.status, ended.errors]).toEqual([
      1,
      expect.stringMatching(/\(name_reserved\) .*--name NAME/),
    ]);
    expect(treeOf(home)).toEqual(before);
  });

  test("says which hosts it knows if none is there, and if one is named that is not", async () => {
    rmSync(join(root, "bin"), { recursive: true });
    const none = await setup();
    expect([none.status, none.errors]).toEqual([1, expect.stringContaining("Known are alpha, beta, gamma")]);
    expect((await setup("beta")).errors).toContain("wharf setup --print beta");
    const wrong = await setup("betta");
    expect([wrong.status, wrong.errors]).toEqual([2, expect.stringContaining("The nearest is beta")]);
  });

  test("changes nothing if the service is away", async () => {
    const before = treeOf(root);
    const ended = await setup("--yes", "--url", "http://127.0.0.1:9");
    expect([ended.status, ended.printed]).toEqual([1, ""]);
    expect(ended.errors).toContain("http://127.0.0.1:9 cannot be reached");
    expect(treeOf(root)).toEqual(before);
  });
});

describe("a file that it cannot change is left, and the other hosts are set up", () => {
  const cases: Record<string, [text: string, says: string]> = {
    "no JSON": ['{\n  "a": \n}', "line 3: the file is no JSON"],
    "another shape": ['{\n"mcpServers": []}', "line 2: the file has a mcpServers that is no object"],
    "somebody else's server": [
      '{"mcpServers": {\n"wharf": {}}}',
      "line 2: the file has another mcpServers.wharf",
    ],
  };
  test.each(Object.entries(cases))("%s", async (_, [text, says]) => {
    const file = put(".beta/settings.json", text);
    const ended = await setup("--yes");
    expect([ended.status, ended.errors]).toEqual([1, expect.stringContaining(`${file}, ${says}`)]);
    expect(read(".beta/settings.json")).toBe(text);
    expect(ended.printed).toContain("gamma is set up as");
    expect(ended.printed).not.toContain("beta is set up as");
    expect(existsSync(join(home, ".gamma/settings.json"))).toBe(true);
  });

  test("a skill that somebody else has written", async () => {
    put(".alpha/skills/wharf/SKILL.md", "mine");
    const ended = await setup("alpha", "--yes");
    expect([ended.status, read(".alpha/skills/wharf/SKILL.md")]).toEqual([1, "mine"]);
    expect(ended.errors).toContain("is there already, with another text");
    expect(existsSync(join(home, ".alpha.json"))).toBe(false);
  });

  test("a command of the host that fails shows what it said", async () => {
    environment["ALPHA_FAILS"] = "1";
    const ended = await setup("alpha", "beta", "--yes");
    expect(ended.status).toBe(1);
    expect(ended.errors).toContain("ended with status 7: Alpha is not signed in.");
    expect(ended.printed).toContain("beta is set up as");
    delete environment["ALPHA_FAILS"];
    expect(await setup("alpha", "--yes")).toMatchObject(done);
  });
});

test("does not wait for a process that a command of a host leaves behind", async () => {
  environment["LEAVES"] = join(root, "left");
  expect(await setup("alpha", "--yes")).toMatchObject(done);
  process.kill(Number(readFileSync(join(root, "left"), "utf8")));
});

describe("links, modes and layout", () => {
  test("changes the target of a link, and the link stays", async () => {
    put("dotfiles/beta.json", settings);
    mkdirSync(join(home, ".beta"));
    symlinkSync("../dotfiles/beta.json", join(home, ".beta/settings.json"));
    chmodSync(join(home, "dotfiles/beta.json"), 0o640);
    const before = treeOf(home);
    const ended = await setup("beta", "--yes");
    expect(ended.printed).toContain(`a link to ${join(home, "dotfiles/beta.json")}`);
    expect(read("dotfiles/beta.json")).toContain('"wharf"');
    expect(treeOf(home)[".beta/settings.json"]).toBe(before[".beta/settings.json"]!);
    expect((statSync(join(home, "dotfiles/beta.json")).mode & 0o777).toString(8)).toBe("640");
    await setup("--undo");
    expect(treeOf(home)).toEqual(before);
  });

  test("makes the target of a link that leads to nothing, and takes it away", async () => {
    mkdirSync(join(home, ".beta"));
    symlinkSync("../later/beta.json", join(home, ".beta/settings.json"));
    const before = treeOf(home);
    expect(await setup("beta", "--yes")).toMatchObject(done);
    expect(read("later/beta.json")).toContain('"wharf"');
    await setup("--undo");
    expect(treeOf(home)).toEqual(before);
  });

  test.skipIf(lacks("a file that git tracks", "git"))("says that git tracks a file", async () => {
    put(".beta/settings.json", settings);
    const git = (...words: string[]) => Bun.spawnSync(["git", ...words], { cwd: home });
    git("init", "-q");
    git("add", ".beta/settings.json");
    const ended = await setup("beta", "--yes");
    expect(ended).toMatchObject(done);
    expect(ended.printed).toContain("git tracks this file");
    expect(await setup("gamma", "--dry-run")).toMatchObject({
      printed: expect.not.stringContaining("git tracks"),
    });
  });
});

describe("wharf setup --undo", () => {
  const contents = {
    comments: settings,
    Windows: '\ufeff{\r\n\t"theme": "dark"\r\n}',
    empty: "",
    "one line": '{"hooks":{"Stop":[1,]}}',
  };
  test.each(Object.entries(contents))("makes the home what it was: %s", async (_, text) => {
    put(".beta/settings.json", text);
    put(".alpha.json", '{"a": 1}\n');
    const before = treeOf(home);
    expect(await setup("--yes")).toMatchObject(done);
    expect(treeOf(home)).not.toEqual(before);
    const undone = await setup("--undo");
    expect(undone).toMatchObject(done);
    expect(treeOf(home)).toEqual(before);
    expect(undone.printed).toContain("wharf name revoke --as");
    expect((await setup("--undo")).errors).toContain("nothing is set up");
  });

  test("takes out only its own entries if the user has changed the file since", async () => {
    put(".beta/settings.json", settings);
    await setup("--yes");
    const edited = read(".beta/settings.json").replace('"dark"', '"light"');
    put(".beta/settings.json", edited);
    put(".gamma/settings.json", read(".gamma/settings.json").replace("{", '{\n  // new\n  "mine": true,'));
    const alpha = JSON.parse(read(".alpha.json")) as object;
    put(".alpha.json", JSON.stringify({ ...alpha, history: ["later"] }));
    const undone = await setup("--undo");
    expect(undone).toMatchObject(done);
    expect(undone.printed).toContain("was changed since: only the entries of setup are taken out");
    expect(read(".beta/settings.json")).not.toContain("wharf");
    expect(read(".beta/settings.json")).toBe(settings.replace("dark", "light"));
    expect(read(".gamma/settings.json")).toBe('{\n  // new\n  "mine": true\n}\n');
    expect(JSON.parse(read(".alpha.json"))).toEqual({ mcpServers: {}, history: ["later"] });
    expect(existsSync(join(home, ".agents"))).toBe(false);
  });

  test("leaves an entry and a file that the user has changed, and says so", async () => {
    await setup("beta", "--yes");
    put(
      ".beta/settings.json",
      read(".beta/settings.json").replace('"args": [', '"args": [\n        "--verbose",'),
    );
    put(".agents/skills/wharf/SKILL.md", "mine");
    const undone = await setup("--undo");
    expect(undone.status).toBe(0);
    expect(undone.printed).toContain("has another mcpServers.wharf than setup wrote: that is left");
    expect(undone.printed).toContain("was changed since setup wrote it: that is left");
    expect(read(".agents/skills/wharf/SKILL.md")).toBe("mine");
    expect(JSON.parse(read(".beta/settings.json"))).toEqual({ mcpServers: { wharf: expect.anything() } });
  });

  test("leaves a skill that another host still has", async () => {
    await setup("--yes");
    const undone = await setup("--undo", "beta");
    expect(undone.printed).toContain("it is for gamma, too");
    expect(existsSync(join(home, ".agents/skills/wharf/SKILL.md"))).toBe(true);
    await setup("--undo");
    expect(treeOf(home)).toEqual({});
  });

  test("changes nothing if a file cannot be read any more, and can be repeated", async () => {
    await setup("beta", "--yes");
    const broken = read(".beta/settings.json").replace("{", "{{");
    put(".beta/settings.json", broken);
    const failed = await setup("--undo");
    expect([failed.status, failed.printed]).toEqual([
      1,
      expect.stringContaining("line 1: the file is no JSON"),
    ]);
    expect(read(".beta/settings.json")).toBe(broken);
    expect(existsSync(join(home, ".agents/skills/wharf/SKILL.md"))).toBe(true);
    put(".beta/settings.json", broken.replace("{{", "{"));
    expect(await setup("--undo")).toMatchObject(done);
    expect(treeOf(home)).toEqual({});
  });

  test("is for hosts that are set up", async () => {
    expect((await setup("--undo", "beta")).status).toBe(2);
  });
});

describe("wharf setup --check", () => {
  test("tries the name, the tools and each file", async () => {
    expect((await setup("--check")).status).toBe(1);
    await setup("--yes");
    const ended = await setup("--check");
    expect(ended).toMatchObject(done);
    expect(ended.printed).toContain("'alpha mcp list' reaches the tools");
    expect(ended.printed).toMatch(/beta: its server answers with \d+ tools/);
    expect(ended.printed.match(/the key of \S+ works/g)).toHaveLength(3);
    expect(
      ended.printed
        .trim()
        .split("\n")
        .every((line) => line.startsWith("ok ")),
    ).toBe(true);
  }, 60_000);

  test("fails if an entry, the key or the service is gone", async () => {
    await setup("beta", "--yes");
    put(".beta/settings.json", "{}");
    const ended = await setup("--check", "beta", "--json");
    const lines = ended.printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { part: string; ok: boolean });
    expect(ended.status).toBe(1);
    expect(lines.find(({ part }) => part === "wake-up")).toMatchObject({ ok: false });
    expect(lines.find(({ part }) => part === "skill")).toMatchObject({ ok: true });
    rmSync(join(root, "config"), { recursive: true });
    expect((await setup("--check", "beta")).printed).toMatch(/FAILED beta: no key of \S+ is saved/);
  }, 60_000);
});

describe("wharf setup --print", () => {
  test("prints what to paste for a host that is not here, and changes nothing", async () => {
    rmSync(join(root, "bin"), { recursive: true });
    const before = treeOf(root);
    const ended = await setup("--print", "beta", "--name", "ada-beta");
    expect(ended).toMatchObject(done);
    for (const text of [
      `wharf name claim ada-beta --url ${service.url}`,
      `In ${join(home, ".beta/settings.json")}:`,
      '"mcpServers": {',
      `curl --create-dirs -o ${join(home, ".agents/skills/wharf/SKILL.md")} ${service.url}/SKILL.md`,
    ])
      expect(ended.printed).toContain(text);
    expect(treeOf(root)).toEqual(before);
    expect((await setup("--print", "alpha")).printed).toContain("Run: alpha mcp add wharf --");
    expect((await setup("--print")).status).toBe(2);
    expect((await setup("--print", "--undo")).status).toBe(2);
  });
});

describe.skipIf(!is_linux)("wharf setup --service", () => {
  const unit = ".config/systemd/user/wharf-watch-gamma.service";

  test("makes the unit and the folder of the agent, names the command that starts it, and takes both back", async () => {
    const ended = await setup("gamma", "--service", "--yes");
    expect(ended).toMatchObject(done);
    expect(ended.printed).toContain("systemctl --user enable --now wharf-watch-gamma.service");
    expect(read(unit)).toContain(join(home, ".local/share/wharf/agents/gamma"));
    expect(existsSync(join(home, ".local/share/wharf/agents/gamma"))).toBe(true);
    const before = treeOf(home);
    environment["PATH"] = `${environment["PATH"]}:/nowhere`;
    expect((await setup("gamma", "--yes")).printed).toContain("everything is set up");
    expect(treeOf(home)).toEqual(before);
    await setup("gamma", "--name", "night-gamma", "--yes");
    expect(read(unit)).toContain("night-gamma");

    mkdirSync(join(home, ".config/systemd/user/default.target.wants"));
    const link = join(home, ".config/systemd/user/default.target.wants/wharf-watch-gamma.service");
    symlinkSync("../wharf-watch-gamma.service", link);
    const refused = await setup("--undo");
    expect(refused).toMatchObject({
      status: 1,
      printed: expect.stringContaining("End it first: systemctl --user disable"),
    });
    expect(read(unit)).toContain("night-gamma");
    rmSync(dirname(link), { recursive: true });
    expect(await setup("--undo")).toMatchObject(done);
    expect(treeOf(home)).toEqual({});
  });

  test("works in the folder that is named, and stays if something is in it", async () => {
    const folder = join(home, "agent");
    await setup("gamma", "--service", "--folder", folder, "--yes");
    writeFileSync(join(folder, "work"), "");
    await setup("--undo");
    expect(Object.keys(treeOf(home))).toEqual(["agent", "agent/work"]);
  });

  test("is for one that is named, and that can be started without a terminal", async () => {
    expect((await setup("--service", "--yes")).status).toBe(2);
    expect((await setup("gamma", "--folder", "/tmp", "--yes")).status).toBe(2);
    const refused = await setup("beta", "--service", "--yes");
    expect(refused).toMatchObject({
      status: 1,
      errors: expect.stringContaining("cannot be started without a terminal"),
    });
    expect(treeOf(home)).toEqual({});
  });
});

test("no key is in a file but that of the saved keys, nor in what is printed", async () => {
  put(".beta/settings.json", settings);
  const { printed } = await setup("--yes");
  const keys = ["alpha", "beta", "gamma"].map((id) => keyOf(nameFor(printed, id))!);
  const more = await Promise.all([setup("--check"), setup("--yes", "--json"), setup("--undo", "--json")]);
  const outputs = [printed, ...more.map((ended) => ended.printed + ended.errors)].join("\n");
  const files = Object.entries(treeOf(root)).filter(([name]) => name !== "config/wharf/credentials.toml");
  for (const key of keys) {
    expect(outputs).not.toContain(key);
    expect(files.filter(([, content]) => content.includes(key))).toEqual([]);
  }
  expect(
    files
      .filter(([, content]) => /wf[kr]_/.test(content.replace(/.*SKILL[\s\S]*/, "")))
      .map(([name]) => name),
  ).toEqual([]);
}, 60_000);
