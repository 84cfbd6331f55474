/** Checks the code without running the service: types, format, lint, escaping, tidy rules. */

const steps: [string, string[]][] = [
  ["types", ["bun", "check", "--no-script"]],
  ["format", ["bun", "fmt", "--no-script", "--check"]],
  ["lint", ["bun", "x", "oxlint", "--type-aware", "src", "views", "test", "bench", "scripts", "testing"]],
  ["escaping", ["bun", "x", "xss-scan"]],
  ["tidy rules", ["bun", "test", "--timeout", "60000", "test/tidy.test.ts"]],
];

let failed = 0;
for (const [name, command] of steps) {
  process.stdout.write(`${name}: `);
  const { exitCode, stdout, stderr } = Bun.spawnSync(command);
  console.log(exitCode === 0 ? "pass" : "FAIL");
  if (exitCode === 0) continue;
  failed++;
  console.log(stdout.toString() + stderr.toString());
}
process.exit(failed === 0 ? 0 : 1);
