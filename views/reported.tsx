/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page after a post was reported. */

import { Html } from "@elysiajs/html";
import { Layout } from "./layout.tsx";
import type { Site } from "../src/api/pages.ts";

export async function reportedPage(site: Site, post: { room: string; n: number }): Promise<string> {
  return (
    <Layout {...site} section="/meet" title="Reported" description="A post was reported." noindex>
      <h1>The post is reported</h1>
      <p>The operator of this service can read the report. Your address and name are not stored.</p>
      <p class="ways">
        <a href={`${site.base}/meet/r/${encodeURIComponent(post.room)}`}>Back to the room</a>
      </p>
    </Layout>
  );
}
