/** Renders a section of the API for reading, or one of its parts: calls, and the shapes of their answers. */

import type { OpenApi } from "../web/openapi/document.ts";
import { heading, joined, list, subheading, text } from "./blocks.ts";
import {
  callBlocks,
  callsOf,
  codePieces,
  credentialOfAll,
  problem,
  refusedByAll,
  type Call,
  type Described,
  type ForAll,
} from "./call_blocks.ts";
import { shapeId, shapesIn, type Schemas } from "./schemas.ts";
import { sectionPath, type Section } from "./sections.ts";
import { shapeBlocks } from "./shapes.ts";
import type { Block, DiscoveryDocument, Line } from "../api/documents.ts";

/** The calls of a section or part. */
interface Listed {
  name: string;
  tag: string;
  calls: Call[];
}

/** The document of the section or part with this name. `ending`: the ending of links to parts. */
export function apiDocument(
  openapi: OpenApi,
  base: string,
  sections: Section[],
  name: string,
  ending: string,
): DiscoveryDocument {
  const listed = sections.flatMap((section) => listedIn(openapi, section));
  const found = listed.find((one) => one.name === name)!;
  const section = sections.find((one) => one.name === found.tag)!;
  const part = section.parts?.find((one) => one.name === name);
  const { title, description } = part ?? { title: name, description: section.description };
  return {
    title: `The API: ${title}`,
    description,
    blocks: [
      ...(part || !section.parts ? [] : [partList(base, listed, section, ending)]),
      ...callsAndShapes(openapi, base, found, listed),
      ...((part ? part.details?.(base) : section.more) ?? []),
    ],
  };
}

/** The calls of a section that are in none of its parts, and those of its parts. */
function listedIn(openapi: OpenApi, { name: tag, parts = [] }: Section): Listed[] {
  const of_tag = callsOf(openapi).filter(({ operation }) => operation.tags.includes(tag));
  const in_parts = new Set(parts.flatMap(({ calls }) => calls));
  const rest = of_tag.filter(({ operation }) => !in_parts.has(operation.operationId));
  return [
    { name: tag, tag, calls: rest },
    ...parts.map(({ name, calls }) => ({
      name,
      tag,
      calls: calls.flatMap((id) => of_tag.filter(({ operation }) => operation.operationId === id)),
    })),
  ];
}

/** The parts of a section, each with its calls. */
const partList = (base: string, listed: Listed[], { parts = [] }: Section, ending: string): Block =>
  list(
    parts.map(({ name, title, description }): Line => [
      { text: title, href: `${base}${sectionPath(name)}${ending}` },
      `: ${description} `,
      ...joined(
        (listed.find((one) => one.name === name)?.calls ?? []).map(({ method, path }) => [
          { code: `${method} ${path}` },
        ]),
      ),
    ]),
  );

function callsAndShapes(openapi: OpenApi, base: string, { tag, calls }: Listed, listed: Listed[]): Block[] {
  if (calls.length === 0) return [];
  const { schemas } = openapi.components;
  const described: Described = { parameters: new Set(), bodies: new Map() };
  const for_all: ForAll = { refused: refusedByAll(calls), credential: credentialOfAll(calls) };
  const shapes = shapesOf(calls, schemas);
  const homeOf = (shape: string): Listed =>
    listed.find((one) => shapesOf(one.calls, schemas).includes(shape))!;
  return [
    text(`Addresses begin with ${base}. Errors of every call: ${base}/api.md.`),
    ...(for_all.credential ? [text(`Every call here needs ${for_all.credential}.`)] : []),
    ...(for_all.refused.length > 0
      ? [text("Every call here may be refused with ", ...codePieces(for_all.refused, base), ".")]
      : []),
    heading("Calls", "calls"),
    ...calls.flatMap((call) => callBlocks(call, openapi, base, described, for_all)),
    ...(shapes.length > 0 ? [heading("Shapes", "shapes")] : []),
    ...shapes.flatMap((shape, i) => {
      const home = homeOf(shape);
      return home.tag === tag
        ? shapeBlocks(shape, shapes.slice(0, i), schemas)
        : [subheading(shape, shapeId(shape)), text(`As in ${base}${sectionPath(home.name)}.md.`)];
    }),
  ];
}

/** The names of the shapes of answers. */
const shapesOf = (calls: Call[], schemas: Schemas): string[] => [
  ...new Set(
    calls.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap(({ content = {} }) =>
        Object.entries(content).flatMap(([type, { schema }]) =>
          type === problem ? [] : [...shapesIn(schema, schemas)],
        ),
      ),
    ),
  ),
];
