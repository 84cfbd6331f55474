/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The line below a search: the time up to which posts were indexed. */

import { Html } from "@elysiajs/html";

export const Searched = ({ through }: { through: string | undefined }) =>
  through ? <p class="note" safe>{`Searched what was accepted before ${through}.`}</p> : "";
