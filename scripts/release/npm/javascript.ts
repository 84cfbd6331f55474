/** Compiles modules of the repository to JavaScript with declarations, for packages of npm. */

import { basename, dirname, join, relative } from "node:path";
import ts from "typescript";

const root = join(import.meta.dir, "../../..");

/**
 * The JavaScript (ES2022 modules) and the declarations of `module` and of what it imports from its folder, by file name. `packages`
 * names the package that replaces an import from elsewhere, by the path that the import has in the source.
 */
export function compile(module: string, packages: Record<string, string> = {}): Record<string, string> {
  const folder = dirname(module);
  const program = ts.createProgram([join(root, module)], {
    declaration: true,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    types: ["node"],
  });
  const files: Record<string, string> = {};
  program.emit(undefined, (path, text) => {
    if (relative(root, dirname(path)) !== folder) return;
    // In declarations, the compiler leaves the names of the source.
    const imported = text.replace(
      /(from |import\()"(\.[^"]+)\.[jt]s"/g,
      (_, before: string, from: string) => `${before}"${packages[`${from}.ts`] ?? `${from}.js`}"`,
    );
    files[basename(path)] = imported;
  });
  return files;
}
