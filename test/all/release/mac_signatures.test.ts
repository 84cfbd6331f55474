/** The executables for macOS: their signatures, checked by apple-platform-rs, and the oldest system that they run on. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeSync, cpSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { targetNamed } from "../../../scripts/release/targets.ts";
import { python_of_apple_platform, python_of_lief } from "../../support/foreign_systems.ts";
import { lacks } from "../../support/programs.ts";
import { lacks_release, release, release_timeout_ms } from "../../support/release.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

const script = `
import apple_platform, json, sys
print(json.dumps({
  "problems": [problem["description"] for problem in apple_platform.verify_macho(sys.argv[1])],
  "signed": apple_platform.read_signature(sys.argv[1])[0]["entity"]["mach_o"],
}))`;

interface Found {
  problems: string[];
  signed: {
    macho_signature_start_offset: string;
    macho_signature_end_offset: string;
    signature: {
      blobs: { slot: string }[];
      code_directory: { flags: string; signed_entity_size: number; code_digests_count: number };
    };
  };
}

describe.skipIf(lacks_release || lacks("signatures for macOS", "python3"))("signatures for macOS", () => {
  const directory = newDirectory();
  let bin: string;
  beforeAll(async () => {
    bin = join(await release(), "bin");
    python_of_apple_platform();
    python_of_lief();
  }, release_timeout_ms);
  afterAll(() => removeDirectory(directory));

  const look = (file: string): Found => {
    const { stdout, stderr } = Bun.spawnSync([python_of_apple_platform(), "-c", script, file]);
    if (stdout.length === 0) throw new Error(stderr.toString());
    return JSON.parse(stdout.toString()) as Found;
  };

  // No signature of an identity: that is what "ad hoc" means.
  const ad_hoc = ["no cryptographic signature present"];

  for (const name of ["darwin-arm64", "darwin-x64"]) {
    test(`${name} has an ad-hoc signature that is right for every page up to the signature itself, which ends the file`, () => {
      const path = join(bin, name, "wharf");
      const { problems, signed } = look(path);
      expect(problems).toEqual(ad_hoc);
      const [start, end] = [signed.macho_signature_start_offset, signed.macho_signature_end_offset].map(
        (at) => Number.parseInt(at),
      ) as [number, number];
      expect(end).toBe(statSync(path).size);
      const { blobs, code_directory } = signed.signature;
      expect(blobs.map(({ slot }) => slot)).toEqual(["CodeDirectory (0)"]);
      expect(code_directory).toMatchObject({
        flags: "CodeSignatureFlags(ADHOC | LINKER_SIGNED)",
        signed_entity_size: start,
        code_digests_count: Math.ceil(start / 4096),
      });
    });

    test(`${name} runs on the systems that its wheel names, and on its processor`, () => {
      const { cpu, wheel } = targetNamed(name);
      const script = `
import lief, sys
lief.logging.disable()
program = lief.MachO.parse(sys.argv[1]).at(0)
print(program.header.cpu_type.name, *program.build_version.minos)`;
      const { stdout } = Bun.spawnSync([python_of_lief(), "-c", script, join(bin, name, "wharf")]);
      const [processor, major, minor] = stdout.toString().trim().split(" ");
      expect(processor).toBe({ arm64: "ARM64", x64: "X86_64" }[cpu]);
      expect(wheel).toStartWith(`macosx_${major}_${minor}_`);
    });

    test(`${name} with one changed bit is found out, on the page that has it`, () => {
      const copy = join(directory, name);
      cpSync(join(bin, name, "wharf"), copy);
      const size = look(copy).signed.signature.code_directory.signed_entity_size;
      for (const at of [4000, size >> 1, size - 1]) {
        flipBit(copy, at);
        const problems = look(copy).problems.filter((problem) => !ad_hoc.includes(problem));
        expect(problems).toEqual([
          expect.stringContaining(`code digest mismatch for entry ${Math.floor(at / 4096)};`),
        ]);
        flipBit(copy, at);
      }
      expect(look(copy).problems).toEqual(ad_hoc);
    });
  }
});

function flipBit(path: string, at: number): void {
  const file = openSync(path, "r+");
  const byte = new Uint8Array(1);
  readSync(file, byte, 0, 1, at);
  byte[0]! ^= 1;
  writeSync(file, byte, 0, 1, at);
  closeSync(file);
}
