/** A service for round trips with generated clients: `wharf dev`, two minutes after its start, so that a round of the beacon is revealed. */

/** Starts `program`, such as the binary. It keeps its data in memory. */
export async function startService(program: string[]): Promise<{ url: string; stop(): Promise<void> }> {
  const command = [...program, "dev", "--memory", "--port", "0"];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  const url = text.trim();
  await fetch(`${url}/_dev/clock`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ advance_seconds: 120 }),
  });
  return {
    url,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}
