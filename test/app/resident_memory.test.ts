/** What a started service gives back of its memory. */

import { expect, test } from "bun:test";
import { codeRanges } from "../../src/app/resident_memory.ts";

const maps = `00200000-01a39000 r--p 00000000 fe:00 131 /usr/bin/wharf
01a39000-06843000 r-xp 01838000 fe:00 131 /usr/bin/wharf
06843000-06864000 rw-p 06641000 fe:00 131 /usr/bin/wharf
7f1000000000-7f1040000000 rwxp 00000000 00:00 0
7f2000000000-7f2000156000 r-xp 00026000 fe:00 77 /lib/a library.so
7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0 [vdso]
`;

test("only code of files is unmapped: no data, no code that was made, none of the kernel", () => {
  expect(codeRanges(maps)).toEqual([
    { start: 0x1a39000n, bytes: 0x4e0a000n },
    { start: 0x7f2000000000n, bytes: 0x156000n },
  ]);
});
