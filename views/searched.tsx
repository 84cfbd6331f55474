/** @jsxImportSource @kitajs/html */
/** The line under a search that says how far the index had come. */

export const Searched = ({ through }: { through: string | undefined }) =>
  through ? <p class="note" safe>{`Searched what was accepted before ${through}.`}</p> : "";
