/**
 * Signs an executable of macOS without an identity ("ad hoc"). macOS ends a program whose pages differ from its signature, and
 * `bun build` leaves the signature of Bun's own executable in programs for x64. The format is in `cs_blobs.h` of Darwin.
 */

const page_size = 4096;
const sha256_size = 32;
const header_size = 32;
const [magic_64, segment_64, code_signature] = [0xfeedfacf, 0x19, 0x1d];

/** Where the commands are that a signature depends on, in bytes from the start of the file. */
function loadCommands(file: Buffer): { text: number; linkedit: number; signature: number } {
  if (file.readUInt32LE(0) !== magic_64) throw new Error("This is no 64-bit executable of macOS.");
  const found = { text: 0, linkedit: 0, signature: 0 };
  let at = header_size;
  for (let left = file.readUInt32LE(16); left > 0; left--, at += file.readUInt32LE(at + 4)) {
    const command = file.readUInt32LE(at);
    const segment =
      command === segment_64 ? file.toString("latin1", at + 8, at + 24).replace(/\0+$/, "") : "";
    if (command === code_signature) found.signature = at;
    if (segment === "__TEXT") found.text = at;
    if (segment === "__LINKEDIT") found.linkedit = at;
  }
  if (Object.values(found).includes(0)) throw new Error("The executable has no signature to replace.");
  return found;
}

/** Returns the executable `file` with a new signature in place of the one that it has. `identifier` is its name in the signature. */
export function signedForMac(file: Buffer, identifier: string): Buffer {
  const { text, linkedit, signature } = loadCommands(file);
  const code_size = file.readUInt32LE(signature + 8);
  const pages = Math.ceil(code_size / page_size);
  const name = Buffer.from(`${identifier}\0`);

  const directory = Buffer.alloc(88 + name.length + pages * sha256_size);
  const blob = Buffer.alloc(20);
  const size = blob.length + directory.length;
  // An embedded signature with one part, at offset 20: the code directory (type 0).
  [0xfade0cc0, size, 1, 0, blob.length].forEach((value, index) => blob.writeUInt32BE(value, index * 4));
  const [version, flags] = [0x20400, 0x20002]; // ad hoc, signed by a linker: codesign may replace it
  const [hash_offset, name_offset] = [88 + name.length, 88];
  const numbers = [
    0xfade0c02,
    directory.length,
    version,
    flags,
    hash_offset,
    name_offset,
    0,
    pages,
    code_size,
  ];
  numbers.forEach((value, index) => directory.writeUInt32BE(value, index * 4));
  directory.set([sha256_size, 2, 0, Math.log2(page_size)], 36); // 2 is SHA-256
  // The segment with the code: its offset and size in the file, and that this is a main program.
  directory.writeBigUInt64BE(file.readBigUInt64LE(text + 40), 64);
  directory.writeBigUInt64BE(file.readBigUInt64LE(text + 48), 72);
  directory.writeBigUInt64BE(1n, 80);
  name.copy(directory, name_offset);

  const signed = Buffer.concat([file.subarray(0, code_size), blob, directory]);
  // The headers are in the first page: they change before it is hashed.
  signed.writeUInt32LE(size, signature + 12);
  const linkedit_size = signed.length - Number(file.readBigUInt64LE(linkedit + 40));
  signed.writeBigUInt64LE(BigInt(Math.ceil(linkedit_size / page_size) * page_size), linkedit + 32);
  signed.writeBigUInt64LE(BigInt(linkedit_size), linkedit + 48);
  const hashes = code_size + blob.length + hash_offset;
  for (let page = 0; page < pages; page++) {
    const code = signed.subarray(page * page_size, Math.min((page + 1) * page_size, code_size));
    signed.set(Bun.SHA256.hash(code) as Uint8Array, hashes + page * sha256_size);
  }
  return signed;
}
