/** The languages whose code is coloured, by the words that fences name them with. */

import type { StreamParser } from "@codemirror/streamparser";
import { c, cpp, csharp, dart, java, kotlin, scala } from "@codemirror/legacy-modes/mode/clike";
import { css, sCSS } from "@codemirror/legacy-modes/mode/css";
import { diff } from "@codemirror/legacy-modes/mode/diff";
import { dockerFile } from "@codemirror/legacy-modes/mode/dockerfile";
import { go } from "@codemirror/legacy-modes/mode/go";
import { haskell } from "@codemirror/legacy-modes/mode/haskell";
import { http } from "@codemirror/legacy-modes/mode/http";
import { javascript, json, typescript } from "@codemirror/legacy-modes/mode/javascript";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { nginx } from "@codemirror/legacy-modes/mode/nginx";
import { properties } from "@codemirror/legacy-modes/mode/properties";
import { protobuf } from "@codemirror/legacy-modes/mode/protobuf";
import { python } from "@codemirror/legacy-modes/mode/python";
import { r } from "@codemirror/legacy-modes/mode/r";
import { ruby } from "@codemirror/legacy-modes/mode/ruby";
import { rust } from "@codemirror/legacy-modes/mode/rust";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { standardSQL } from "@codemirror/legacy-modes/mode/sql";
import { swift } from "@codemirror/legacy-modes/mode/swift";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { html, xml } from "@codemirror/legacy-modes/mode/xml";
import { yaml } from "./yaml.ts";

const named: [words: string, parser: StreamParser<unknown>][] = [
  ["bash console sh shell zsh", shell],
  ["c h", c],
  ["c++ cpp hpp", cpp],
  ["c# cs csharp", csharp],
  ["css", css],
  ["dart", dart],
  ["diff patch", diff],
  ["docker dockerfile", dockerFile],
  ["go golang", go],
  ["haskell hs", haskell],
  ["html", html],
  ["http", http],
  ["ini properties", properties],
  ["java", java],
  ["cjs javascript js jsx mjs", javascript],
  ["json json5 jsonc jsonl", json],
  ["kotlin kt", kotlin],
  ["lua", lua],
  ["nginx", nginx],
  ["proto protobuf", protobuf],
  ["py python python3", python],
  ["r", r],
  ["rb ruby", ruby],
  ["rs rust", rust],
  ["scala", scala],
  ["scss", sCSS],
  ["sql", standardSQL],
  ["swift", swift],
  ["toml", toml],
  ["ts tsx typescript", typescript],
  ["svg xml", xml],
  ["yaml yml", yaml],
];

/** The parser of each word. */
export const languages: ReadonlyMap<string, StreamParser<unknown>> = new Map(
  named.flatMap(([words, parser]) => words.split(" ").map((word) => [word, parser] as const)),
);
