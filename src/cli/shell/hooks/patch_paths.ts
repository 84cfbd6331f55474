/** The files that a patch of the tool `apply_patch` changes. */

const header = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

/** The paths of the patches in a text, as they are written there. */
export function patchPaths(text: string): string[] {
  const patches = text.match(/^\*\*\* Begin Patch$[\s\S]*?(?:^\*\*\* End Patch$|$(?![\s\S]))/gm) ?? [];
  return patches.flatMap((patch) => Array.from(patch.matchAll(header), ([, path]) => path!.trim()));
}
