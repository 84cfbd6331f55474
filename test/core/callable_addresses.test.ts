/** Which addresses may be called for a stranger. */

import { describe, expect, test } from "bun:test";
import { callableAddresses } from "../../src/core/callable_addresses.ts";

const everything = ["0.0.0.0/0", "::/0"];

/** Refused unless the operator allows them. */
const private_addresses = `
  127.0.0.1 127.255.255.254 ::1 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1 fd12:3456::1 100.64.0.1 100.127.255.255
  192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 192.88.99.1 192.31.196.1 192.52.193.1 192.175.48.1 240.0.0.1
  255.255.255.254 2001:db8::1 3fff::1 100::1 100:0:0:1::1 fec0::1 5f00::1 4000::1 2620:4f:8000::1 ::ffff:127.0.0.1
  ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::8.8.8.8 64:ff9b::8.8.8.8 64:ff9b::808:808
`;

/** Refused although everything is allowed. */
const never = `
  169.254.169.254 169.254.170.2 169.254.0.1 100.100.100.200 168.63.129.16 192.0.0.192 fd00:ec2::254 fd00:ec2::23 fd20:ce::254
  fd00:42::42 fe80::1 fe80::a9fe:a9fe 0.0.0.0 0.0.0.1 :: 224.0.0.1 239.255.255.255 255.255.255.255 ff02::1 ff0e::1
  ::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::ffff:0.0.0.0 ::169.254.169.254 ::7f00:1 ::808:808 ::ffff:0:127.0.0.1
  64:ff9b::169.254.169.254 64:ff9b::a9fe:a9fe 64:ff9b::0.0.0.0 64:ff9b:1::8.8.8.8 64:ff9b:1:a9fe:a9:fe00::1
  2002:7f00:1::1 2002:a9fe:a9fe::1 2002:808:808::1 2001:0:a9fe:a9fe::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
`;

const no_addresses = `
  fe80::1%eth0 2606:4700::1%1 2130706433 0x7f.0.0.1 0177.0.0.1 127.1 8.8.8 08.8.8.8 8.8.8.8/32 [::1] localhost 1.2.3.4.5
`;

const public_addresses = `
  8.8.8.8 1.1.1.1 172.15.255.255 172.32.0.1 100.63.255.255 100.128.0.1 192.0.1.1 169.253.1.1 223.255.255.255 11.0.0.1
  2606:4700:4700::1111 2a00:1450:4001::200e 2001:4860:4860::8888 2400:cb00::1 2003::1
`;

const each = (texts: string) => test.each(texts.trim().split(/\s+/));

describe("without allowed networks", () => {
  const check = callableAddresses([]);
  each(private_addresses)("%s is refused", (address) => expect(check(address)).toBeNull());
  each(never)("%s is refused", (address) => expect(check(address)).toBeNull());
  each(no_addresses)("%s is refused", (address) => expect(check(address)).toBeNull());
  each(public_addresses)("%s is public", (address) =>
    expect(check(address)).toEqual({ address, is_allowed: false }),
  );
});

describe("with every network allowed", () => {
  const check = callableAddresses(everything);
  each(private_addresses)("%s is allowed", (address) => expect(check(address)?.is_allowed).toBe(true));
  each(never)("%s is refused all the same", (address) => expect(check(address)).toBeNull());
  each(no_addresses)("%s is refused all the same", (address) => expect(check(address)).toBeNull());
});

describe("a network that is allowed", () => {
  test("contains its own addresses only, mapped or not", () => {
    const check = callableAddresses(["10.1.0.0/16", "fd12::/16"]);
    expect(check("10.1.2.3")).toEqual({ address: "10.1.2.3", is_allowed: true });
    expect(check("::ffff:10.1.2.3")).toEqual({ address: "10.1.2.3", is_allowed: true });
    expect(check("fd12::1")?.is_allowed).toBe(true);
    for (const other of ["10.2.0.1", "127.0.0.1", "::1", "fd13::1", "64:ff9b::10.1.2.3"])
      expect(check(other)).toBeNull();
  });

  test("can be spelled as IPv4-mapped", () => {
    expect(callableAddresses(["::ffff:10.0.0.0/104"])("10.9.9.9")?.is_allowed).toBe(true);
  });

  test("of a translator leads to public and allowed addresses only", () => {
    const check = callableAddresses(["64:ff9b::/96", "10.1.0.0/16"]);
    expect(check("64:ff9b::8.8.8.8")).toEqual({ address: "64:ff9b::808:808", is_allowed: true });
    expect(check("64:ff9b::10.1.2.3")?.is_allowed).toBe(true);
    for (const other of ["64:ff9b::10.2.0.1", "64:ff9b::127.0.0.1", "64:ff9b::169.254.169.254"])
      expect(check(other)).toBeNull();
  });

  test("must be a CIDR block", () => {
    for (const text of ["10.0.0.1", "10.0.0.0/33", "localhost", ""])
      expect(() => callableAddresses([text])).toThrow();
  });
});
