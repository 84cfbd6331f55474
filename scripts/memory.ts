/**
 * Measures the memory of the service over many mixed requests and draws it: `bun run memory [requests]`, by default 10 million.
 * Writes docs/memory.svg, and prints a line for each sample. A sample is taken every minute, and every 100,000 requests.
 */

import { join } from "node:path";
import { measureMemory, type Sample } from "../bench/memory.ts";
import { cleanUp } from "../bench/servers.ts";
import { machine } from "../bench/table.ts";

const sample_requests = 100_000;
const sample_seconds = 60;
const file = join(import.meta.dir, "../docs/memory.svg");
const [width, height, margin] = [720, 300, 48];

/** A round number of which at most five make up `largest`. */
function stepOf(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(largest / 5));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => largest / step <= 5)!;
}

/** Marks from 0 to at least `largest`. */
function marksTo(largest: number): number[] {
  const step = stepOf(largest);
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, i) => i * step);
}

/** The samples as a line over the number of requests, in SVG. */
function plot(samples: Sample[], caption: string): string {
  // The last slice of requests may go a little beyond the number that was wanted.
  const across = marksTo(Number(samples.at(-1)!.requests.toPrecision(2)));
  const up = marksTo(Math.max(...samples.map(({ resident_mb }) => resident_mb)));
  const x = (requests: number) => margin + (requests / across.at(-1)!) * (width - 2 * margin);
  const y = (mb: number) => height - margin - (mb / up.at(-1)!) * (height - 2 * margin);
  const points = samples.map(
    ({ requests, resident_mb }) => `${x(requests).toFixed(1)},${y(resident_mb).toFixed(1)}`,
  );
  const millions = (requests: number) => `${requests / 1e6}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${caption}</title>`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    `<g stroke="#ddd">`,
    ...up.map((mb) => `<path d="M${margin} ${y(mb)}H${width - margin}"/>`),
    `</g><g fill="#444" text-anchor="end">`,
    ...up.map((mb) => `<text x="${margin - 6}" y="${y(mb) + 4}">${mb}</text>`),
    `</g><g fill="#444" text-anchor="middle">`,
    ...across.map((n) => `<text x="${x(n)}" y="${height - margin + 18}">${millions(n)}</text>`),
    `<text x="${width / 2}" y="${height - 8}">million requests</text>`,
    `<text x="${width / 2}" y="20">${caption}</text>`,
    `</g><polyline fill="none" stroke="#0b6" stroke-width="1.5" points="${points.join(" ")}"/></svg>`,
    "",
  ].join("\n");
}

const requests = Number(process.argv[2] ?? 10_000_000);
const where = machine();
const samples: Sample[] = [];
try {
  await measureMemory(requests, (sample) => {
    const last = samples.at(-1);
    const is_due =
      last === undefined ||
      sample.requests - last.requests >= sample_requests ||
      sample.seconds - last.seconds >= sample_seconds ||
      sample.requests >= requests;
    if (!is_due) return;
    samples.push(sample);
    const { requests: sent, seconds, resident_mb } = sample;
    console.log(`${sent} requests, ${seconds.toFixed(0)} s: ${resident_mb.toFixed(1)} MiB`);
  });
} finally {
  await cleanUp();
}
console.log(where);
await Bun.write(file, plot(samples, "Resident memory in MiB over mixed requests"));
