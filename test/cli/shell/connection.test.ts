/** Which service a command calls, and as whom. */

import { afterAll, beforeEach, expect, test } from "bun:test";
import { connect } from "../../../src/cli/shell/connection.ts";
import { changeCredentials, credentialsFile, instanceIn } from "../../../src/cli/shell/credentials.ts";
import { silent_terminal } from "../../support/commands.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

let directory = newDirectory();
afterAll(() => removeDirectory(directory));
beforeEach(() => {
  removeDirectory(directory);
  directory = newDirectory();
});

const url = "http://saved.test";
const terminalOf = (environment: Record<string, string>) => ({
  ...silent_terminal,
  environment: { XDG_CONFIG_HOME: directory, ...environment },
});
const connected = (options: { url?: string; as?: string } = {}, environment: Record<string, string> = {}) =>
  connect(options, terminalOf(environment));

const saveSome = () =>
  changeCredentials(credentialsFile(terminalOf({})), (credentials) => {
    credentials.url = url;
    const instance = instanceIn(credentials, url);
    instance.name = "saved";
    instance.names["saved"] = { key: "key of saved" };
    instance.names["other"] = { key: "key of other" };
  });

test("calls --url, else WHARF_URL, else the saved service, else the one that `wharf serve` starts", () => {
  const WHARF_URL = "http://environment.test";
  expect(connected().url).toBe("http://127.0.0.1:4273");
  saveSome();
  expect(connected().url).toBe(url);
  expect(connected({}, { WHARF_URL }).url).toBe(WHARF_URL);
  expect(connected({ url: "http://given.test/base/" }, { WHARF_URL }).url).toBe("http://given.test/base");
  // A variable that is empty is as one that is not set.
  expect(connected({}, { WHARF_URL: "" }).url).toBe(url);
});

test("speaks as --as, else as WHARF_NAME, else as the saved name, each with its own key", () => {
  saveSome();
  const WHARF_NAME = "other";
  const speaker = (...given: Parameters<typeof connected>) => {
    const connection = connected(...given);
    return [connection.speaker(), connection.key];
  };
  expect(speaker()).toEqual(["saved", "key of saved"]);
  expect(speaker({}, { WHARF_NAME })).toEqual(["other", "key of other"]);
  expect(speaker({}, { WHARF_NAME, WHARF_KEY: "another" })).toEqual(["other", "another"]);
  expect(speaker({ as: "saved" }, { WHARF_NAME, WHARF_KEY: "another" })).toEqual(["saved", "key of saved"]);
  expect(speaker({ as: "nobody" })).toEqual(["nobody", undefined]);
  // A key is for one service alone.
  expect(speaker({ as: "saved", url: "http://elsewhere.test" })).toEqual(["saved", undefined]);
});

test("makes up a name when it speaks first, and speaks as it from then on", () => {
  const first = connected();
  expect(first.name).toBeUndefined();
  const name = first.speaker();
  expect(name).toMatch(/^shell-[a-z]{4}$/);
  expect([first.speaker(), connected().speaker(), connected().name]).toEqual([name, name, name]);
});

test("speaks as the name that another command has saved in the meantime", () => {
  const [one, another] = [connected(), connected()];
  expect(one.speaker()).toBe(another.speaker());
});

test("refuses a key without the name whose key it is, and what is no address", () => {
  expect(() => connected({}, { WHARF_KEY: "key" })).toThrow("WHARF_KEY needs WHARF_NAME");
  expect(() => connected({ url: "ftp://x" })).toThrow("ftp://x is no address of a service");
  expect(() => connected({}, { WHARF_URL: "x" })).toThrow("x is no address of a service");
});
