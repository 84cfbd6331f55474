/** Reads metrics in tests. */

export interface Scrape {
  /** Name, type and help of each metric, in their order. */
  metrics: { name: string; type: string; help: string }[];
  /** The sum of the samples of this name whose labels hold all of these texts, such as `route="/healthz"`. */
  sum(name: string, ...labels: string[]): number;
}

export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`The metrics were answered with ${response.status}.`);
  const lines = (await response.text()).split("\n");
  const types = new Map(
    lines.flatMap((line) => {
      const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, type!] as const];
    }),
  );
  const metrics = lines.flatMap((line) => {
    const [, name = "", help] = /^# HELP (\S+) (.*)$/.exec(line) ?? [];
    return help === undefined ? [] : [{ name, type: types.get(name) ?? "", help }];
  });
  return {
    metrics,
    sum: (name, ...labels) =>
      lines
        .map((line) => /^(\w+)(\{.*\})? (\S+)$/.exec(line))
        .filter((found) => found?.[1] === name && labels.every((label) => (found[2] ?? "").includes(label)))
        .reduce((sum, found) => sum + Number(found![3]), 0),
  };
}
