/** What pages load: the style sheet, scripts and pictures. The address of each has its digest, so that it never changes. */

import { Type } from "@sinclair/typebox";
import icon_svg from "../../views/assets/icon.svg" with { type: "text" };
import { ServiceError } from "../core/errors.ts";
import type { Access } from "../web/access.ts";
import { iconOf, picture, scriptText, styleText } from "./embedded.ts" with { type: "macro" };
import { web_errors } from "../web/errors.ts";
import { undocumented } from "../web/openapi/describe.ts";
import { sendTagged, withTag } from "../web/responses.ts";
import type { AssetName } from "../api/pages.ts";

const asset_media = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  ico: "image/x-icon",
};

const files: Record<AssetName, Buffer<ArrayBuffer>> = {
  "style.css": Buffer.from(styleText()),
  "page.js": Buffer.from(scriptText("page.ts")),
  "receipt.js": Buffer.from(scriptText("receipt.ts")),
  "beacon.js": Buffer.from(scriptText("beacon.ts")),
  "try.js": Buffer.from(scriptText("try.ts")),
  "live.js": Buffer.from(scriptText("live.ts")),
  "room.js": Buffer.from(scriptText("room.ts")),
  "icon.svg": Buffer.from(icon_svg),
  "icon.png": Buffer.from(picture("icon.png"), "base64"),
  "favicon.ico": Buffer.from(iconOf("icon.png"), "base64"),
  "preview.png": Buffer.from(picture("preview.png"), "base64"),
};

/** Addresses with the digest of their content never change. */
const forever = { "cache-control": "public, max-age=31536000, immutable" };

const assets = new Map(
  Object.entries(files).map(([name, bytes]) => {
    const digest = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url");
    const type = asset_media[name.slice(name.lastIndexOf(".") + 1) as keyof typeof asset_media];
    const version = digest.slice(0, 12);
    return [
      name,
      {
        path: `assets/${version}/${name}`,
        version,
        answer: withTag(bytes, digest, type, forever),
        answer_to_old: withTag(bytes, digest, type),
      },
    ];
  }),
);

/** The paths of the files below the base URL. */
export const asset_paths = Object.fromEntries([...assets].map(([name, { path }]) => [name, path])) as Record<
  AssetName,
  string
>;

const AssetParams = Type.Object({ digest: Type.String(), name: Type.String() });

/**
 * `GET /assets/{digest}/{name}`. An old digest gives the present file, which caches must ask for again. Some
 * programs request `GET /favicon.ico` although no page names it.
 */
export const assetRoutes = (access: Access) =>
  access
    .get(
      "/assets/:digest/:name",
      ({ request, params: { digest, name } }) => {
        const asset = assets.get(name);
        if (!asset) throw new ServiceError(web_errors.path_not_found, "No page loads a file of that name.");
        return sendTagged(request, digest === asset.version ? asset.answer : asset.answer_to_old);
      },
      // Under `--read members`, the page that says so needs its style.
      { needs: "public", params: AssetParams, ...undocumented },
    )
    .get("/favicon.ico", ({ request }) => sendTagged(request, assets.get("favicon.ico")!.answer_to_old), {
      needs: "public",
      ...undocumented,
    });
