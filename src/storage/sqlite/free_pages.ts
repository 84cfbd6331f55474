/**
 * Overwrites the free pages of a database file with zeros. SQLite does that when it frees a page, but a migration and older
 * releases did not, so a free page may hold a text that was erased.
 */

import { closeSync, openSync, readSync, writeSync } from "node:fs";

/** Clears the pages on the freelist (https://www.sqlite.org/fileformat2.html, section 1.5). Nobody may have the file open. */
export function clearFreePages(file: string): void {
  const descriptor = openSync(file, "r+");
  try {
    const header = Buffer.alloc(100);
    readSync(descriptor, header, 0, header.length, 0);
    const size = header.readUInt16BE(16);
    const page_bytes = size === 1 ? 65_536 : size;
    const zeros = Buffer.alloc(page_bytes);
    const trunk = Buffer.alloc(page_bytes);
    for (let page = header.readUInt32BE(32); page !== 0; page = trunk.readUInt32BE(0)) {
      const at = (page - 1) * page_bytes;
      readSync(descriptor, trunk, 0, page_bytes, at);
      // A trunk holds the number of the next one, the number of its leaves, and their page numbers.
      const used_bytes = 8 + 4 * trunk.readUInt32BE(4);
      for (let leaf = 8; leaf < used_bytes; leaf += 4) {
        writeSync(descriptor, zeros, 0, page_bytes, (trunk.readUInt32BE(leaf) - 1) * page_bytes);
      }
      writeSync(descriptor, zeros, 0, page_bytes - used_bytes, at + used_bytes);
    }
  } finally {
    closeSync(descriptor);
  }
}
