/** The versions of wheels. */

import { expect, test } from "bun:test";
import { pythonVersion } from "../../scripts/release/wheels.ts";

test("a prerelease has the version that Python gives it", () => {
  const versions = ["1.3.0", "1.3.0-alpha.2", "1.3.0-beta.10", "1.3.0-rc.1"];
  expect(versions.map(pythonVersion)).toEqual(["1.3.0", "1.3.0a2", "1.3.0b10", "1.3.0rc1"]);
  expect(() => pythonVersion("1.3.0-next")).toThrow("1.3.0-next");
});
