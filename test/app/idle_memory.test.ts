/** The memory that a service takes for itself while nobody calls it. */

import { expect, test } from "bun:test";
import { lacks_binary } from "../support/binary.ts";
import { memoryOf } from "../support/process_memory.ts";
import { startBinary } from "../support/service.ts";

/** 10 % above what it takes now. */
const own_bytes_max = 26_500_000;

test.skipIf(lacks_binary || process.platform !== "linux")(
  "is at most 26.5 MB, without the pages of the program file",
  async () => {
    const service = await startBinary();
    try {
      // The start itself takes more, for a moment.
      while (memoryOf(service.process, "Pss_Anon") > own_bytes_max) await Bun.sleep(50);
      expect(memoryOf(service.process, "Pss_Anon")).toBeGreaterThan(10_000_000);
    } finally {
      await service.stop();
    }
  },
);
