/** The methods of resources: their list, their templates, and the contents of one. */

import { textParam } from "./errors.ts";
import type { Followed } from "./subscriptions/followed.ts";
import type { Completers, Methods, Place } from "./types.ts";

export interface ResourceDefinition {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  annotations?: { audience?: ("user" | "assistant")[]; priority?: number; lastModified?: string };
}

export interface ResourceTemplate extends Omit<ResourceDefinition, "uri" | "annotations"> {
  /** RFC 6570. */
  uriTemplate: string;
}

interface ResourcePage {
  resources: ResourceDefinition[];
  nextCursor?: string;
}

/** The resources of a feature. */
export interface Resources {
  templates: ResourceTemplate[];
  list(place: Place, cursor: string | undefined): Promise<ResourcePage>;
  /** `reserve` as in `MethodCall`. Throws ResourceNotFound. */
  read(
    uri: string,
    place: Place,
    reserve: Place["reserve"],
  ): Promise<{ uri: string; mimeType: string; text: string }[]>;
  /** The topic that is published when the resource changes, and who reads it. Throws ResourceNotFound. */
  follow(uri: string, place: Place): Promise<Followed>;
  /** Completers of the variables in the templates, by name. */
  completers: Completers;
}

export function resourceMethods(resources: Resources): Methods {
  const list = { resourceTemplates: resources.templates };
  return {
    "resources/list": {
      async run(params, { place }) {
        return resources.list(place, params.cursor === undefined ? undefined : textParam(params, "cursor"));
      },
    },
    "resources/templates/list": { run: () => Promise.resolve(list) },
    "resources/read": {
      async run(params, { place, reserve }) {
        return { contents: await resources.read(textParam(params, "uri"), place, reserve) };
      },
    },
  };
}
