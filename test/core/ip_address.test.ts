/** Which texts are IP addresses. */

import { expect, test } from "bun:test";
import { isIP } from "node:net";
import { ipVersion } from "../../src/core/ip_address.ts";

const texts = `
  127.0.0.1 0.0.0.0 255.255.255.255 256.1.1.1 1.2.3 1.2.3.4.5 127.1 2130706433 0x7f.0.0.1 0177.0.0.1 01.2.3.4 1.2.3.4/8
  :: ::1 1:: 2001:db8::1 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1::2::3 ::ffff:1.2.3.4 1:2:3:4:5:6:1.2.3.4
  fe80::1%eth0 fe80::1%eth0.100 %eth0 1.2.3.4%eth0 [::1] ::g 12345::1 ::1/64 localhost example.com : a beef
`;

test.each(["", ...texts.trim().split(/\s+/)])("%p is an address where node:net says so", (text) => {
  expect(ipVersion(text)).toBe(isIP(text) as 0 | 4 | 6);
});
