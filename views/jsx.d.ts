/** Attributes that the JSX types lack. */

declare namespace JSX {
  interface HtmlTag {
    /** Where the focus goes when the page is loaded (HTML, section 6.6.7). */
    autofocus?: boolean;
  }
  interface HtmlScriptTag {
    /** `render`: the page is not shown before the script has run (HTML, section 2.5.8). */
    blocking?: "render";
  }
}
